import type { IncomingMessage } from 'node:http'

const maxBytes = 12_000_000

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > maxBytes) throw new Error('the request is too large')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

/** A body of text: JSON, or the fields of a form. */
export const readForm = async (request: IncomingMessage): Promise<string> =>
  (await readBytes(request)).toString('utf8')

/** The file of a form in parts (`media`). */
export async function readUpload(
  request: IncomingMessage,
): Promise<{ readonly name: string; readonly size: number } | undefined> {
  const type = request.headers['content-type'] ?? ''
  const body = new Uint8Array(await readBytes(request))
  const form = await new Response(body, { headers: { 'content-type': type } }).formData()
  const media = form.get('media')
  return media instanceof File ? { name: media.name, size: media.size } : undefined
}
