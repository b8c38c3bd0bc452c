from scorerkit.main import main

main()
