// The server's JSON API (solver/web/API.md). Answers are kept: what is known of a position never changes.

export class ApiError extends Error {
  /** kind: 'input' (400), 'missing' (404), 'busy' (503), 'server' (other), 'offline' (no answer at all) */
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

const kKept = 400;  // answers
const kept = new Map();

/** A later answer may know more where this one knows nothing, or has not found the whole line. */
const mayChange = (body) => body.from === 'none' || body.end === 'cut';

function kindOf(status) {
  if (status === 400) return 'input';
  if (status === 404) return 'missing';
  if (status === 503) return 'busy';
  return 'server';
}

async function request(path, init) {
  let response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    throw new ApiError('offline', String(error.message ?? error));
  }
  let body = null;
  try {
    body = await response.json();
  } catch {
    throw new ApiError(response.ok ? 'server' : kindOf(response.status), `HTTP ${response.status}`);
  }
  if (!response.ok) throw new ApiError(kindOf(response.status), body?.error ?? `HTTP ${response.status}`);
  return body;
}

function get(verb, params = {}, keep = true) {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== null && value !== undefined));
  const text = query.toString();
  const path = `api/v1/${verb}${text ? `?${text}` : ''}`;
  if (keep && kept.has(path)) return kept.get(path);
  const answer = request(path);
  if (keep) {
    if (kept.size >= kKept) kept.delete(kept.keys().next().value);
    kept.set(path, answer);
    const forget = () => { if (kept.get(path) === answer) kept.delete(path); };
    answer.then((body) => { if (mayChange(body)) forget(); }, forget);
  }
  return answer;
}

export const api = {
  version: () => get('version', {}, false),
  games: () => get('games'),
  tables: () => get('tables', {}, false),
  position: (params) => get('position', params),
  move: (params) => get('move', params),
  line: (params) => get('line', params),
  levels: (params) => get('levels', params, false),
  record: (text) => request('api/v1/record', {method: 'POST', headers: {'Content-Type': 'text/plain'}, body: text}),
};
