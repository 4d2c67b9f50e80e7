import { AgentMemoryError, invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import { NDJSON, readNdjson } from '../../lib/schemas/ndjson.ts';
import type { OperationContract } from '../../lib/schemas/operation-contract.ts';

const JSON_MEDIA_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json$/i;

/**
 * Reads a JSON body: content type first, then at most `limit` bytes, as strict UTF-8, parsed once. What the parser
 * made is passed on as it is, so that keys such as `__proto__` stay own keys.
 *
 * @throws AgentMemoryError `unsupported_media_type`, `payload_too_large`, `invalid_request` naming `body`
 */
export async function readJsonBody(request: Request, limit: number): Promise<unknown> {
  requireJsonContentType(request.headers.get('Content-Type'));
  return parseJson(await readText(request, limit));
}

/**
 * The same for an operation, which may take lines of JSON too.
 *
 * @param limit Bytes that the service takes; an operation may take more as lines
 */
export async function readBody(
  request: Request,
  { bodyFormat, bodyLimitBytes = 0 }: Pick<OperationContract, 'bodyFormat' | 'bodyLimitBytes'>,
  limit: number,
): Promise<unknown> {
  if (bodyFormat !== 'ndjson' || !isNdjson(request)) return readJsonBody(request, limit);
  return readNdjson(await readText(request, Math.max(limit, bodyLimitBytes)));
}

function isNdjson(request: Request): boolean {
  const [mediaType = ''] = (request.headers.get('Content-Type') ?? '').split(';');
  return mediaType.trim().toLowerCase() === NDJSON;
}

async function readText(request: Request, limit: number): Promise<string> {
  requireNoContentCoding(request.headers.get('Content-Encoding'));
  return decodeUtf8(await readBytes(request, limit));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest('body', text.trim() === '' ? 'is required' : 'is not valid JSON');
  }
}

function requireJsonContentType(contentType: string | null): void {
  const [mediaType = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim());
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/i.test(charset);
  if (JSON_MEDIA_TYPE.test(mediaType) && isUtf8) return;
  throw new AgentMemoryError(
    'unsupported_media_type',
    'the body must be sent as Content-Type: application/json in UTF-8',
  );
}

/** A compressed body could be any length when it is read (RFC 9110 §15.5.16: the status is that of a media type). */
function requireNoContentCoding(contentEncoding: string | null): void {
  if (contentEncoding === null || /^\s*(?:identity\s*)?$/i.test(contentEncoding)) return;
  throw new AgentMemoryError('unsupported_media_type', 'the body must be sent without Content-Encoding');
}

/** Content-Length is refused before anything is read; a stream that does not declare it is cut off at the limit. */
async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get('Content-Length') ?? 0) > limit) throw tooLarge(limit);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    length += part.value.byteLength;
    if (length > limit) {
      await reader?.cancel();
      throw tooLarge(limit);
    }
    chunks.push(part.value);
  }
  return concatenate(chunks, length);
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest('body', 'is not valid UTF-8');
  }
}

function tooLarge(limit: number): AgentMemoryError {
  return new AgentMemoryError('payload_too_large', `the body must have at most ${limit} bytes`);
}
