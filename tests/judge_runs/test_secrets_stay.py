"""Keys and header values reach the provider and nothing else, also when the provider says them back."""

import pytest

PROFILE = """
[models.mine]
model = "openai/gpt-4o-mini"
apiKeyEnv = "MY_KEY"
headersEnv = {"x-team" = "MY_TEAM", "cookie" = "MY_COOKIE"}
baseUrl = "%s"
"""
SCORER = """
id: judged
judge: {model: mine, errorProcessors: [{use: streamErrorRetry, with: {maxRetries: 1}}]}
steps:
  generateScore: {prompt: "rec={{ run.input }} How good is it?", judge: {jsonPromptInjection: false}}
  generateReason: {prompt: "rec={{ run.input }} Why?"}
"""


FAULTS = ("400", "401", "429", "500")


@pytest.mark.parametrize(("fault", "recorded"), [("ok", False), ("ok", True), *((f, False) for f in FAULTS)])
def test_what_a_provider_echoes_is_hidden_everywhere(serve, score, project, clean, fault, recorded):
    secrets = {"MY_KEY": "key-8f14e45f", "MY_TEAM": "team-of-seven", "MY_COOKIE": "sid=c9f0f895"}
    for name, value in secrets.items():
        clean.setenv(name, value)
    with serve(faults={fault: 1.0}, clears=False, echo=True) as server:
        url = server.url.replace("//", "//user-41:pass-e4da@")
        words = ["--log-json", "--verbose", *(["--record", "recorded.jsonl"] if recorded else [])]
        ran = score(server, 2, *words, scorer=SCORER, config=PROFILE % url)
        assert server.stats()["requests"] >= 2
    written = [file for file in project.rglob("*") if file.is_file() and file.name != "scorerkit.toml"]
    assert {"results.jsonl", "summary.json", "scorerkit.db"} <= {file.name for file in written}
    everything = b"".join(file.read_bytes() for file in written) + ran.err.encode()
    for secret in (*secrets.values(), "pass-e4da"):
        assert secret.encode() not in everything
    assert b"[secret]" in everything
