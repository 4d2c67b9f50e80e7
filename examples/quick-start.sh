BASE="${BASE:-http://127.0.0.1:8787/v1}"

# A thread belongs to one user and one agent.
curl -sS "$BASE/threads" -H 'Content-Type: application/json' \
  -d '{"threadId": "trip", "userId": "maya", "agentId": "pia"}'

# Messages are stored first, then turned into memories.
curl -sS "$BASE/threads/trip/messages" -H 'Content-Type: application/json' -d '{"messages": [
  {"role": "user", "content": "I live in Porto and I prefer trains over planes."},
  {"role": "assistant", "content": "Then I will look for trains first."}]}'

# What would help the next answer, packed for a prompt.
curl -sS "$BASE/threads/trip/context-card" -H 'Content-Type: application/json' -d '{}'

# Only this user's records can be found.
curl -sS "$BASE/search" -H 'Content-Type: application/json' -d '{"query": "How do I like to travel?", "userId": "maya"}'
