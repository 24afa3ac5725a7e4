// 事件推送的接收程序示例：核对签名，同一条只处理一次。只需 Node ≥ 20，没有依赖。
//   WEBHOOK_SECRET=whsec_… node docs/samples/webhook-receiver.mjs [端口]
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET ?? ''
const toleranceSeconds = 300
const maxBodyBytes = 1_000_000

/** Whether one of the signatures is made with the secret, over exactly these bytes, within the last minutes. */
export function isGenuine(headers, body, now = Date.now()) {
  const id = headers['webhook-id']
  const timestamp = Number(headers['webhook-timestamp'])
  const signatures = String(headers['webhook-signature'] ?? '').split(' ')
  if (!id || !Number.isInteger(timestamp)) return false
  if (Math.abs(now / 1000 - timestamp) > toleranceSeconds) return false
  const expected = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest()
  return signatures.some(signature => {
    const [version, value = ''] = signature.split(',')
    const given = Buffer.from(value, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

// A real receiver keeps these in its database, in the transaction that handles the event.
const handled = new Set()

async function readBody(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > maxBodyBytes) throw new Error('body too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function receive(request, answer) {
  try {
    const body = await readBody(request)
    if (!isGenuine(request.headers, body)) return answer(401, 'wrong signature')
    const id = request.headers['webhook-id']
    if (handled.has(id)) return answer(200, 'known')
    handled.add(id)
    const { type, timestamp, company, data } = JSON.parse(body)
    console.log(JSON.stringify({ id, type, timestamp, company, data }))
    return answer(200, 'ok')
  } catch (error) {
    return answer(400, String(error))
  }
}

const server = createServer((request, response) => {
  void receive(request, (status, text) => response.writeHead(status).end(text))
})

server.listen(Number(process.argv[2] ?? 8200), '127.0.0.1', () => {
  console.log(JSON.stringify({ listening: server.address().port }))
})
