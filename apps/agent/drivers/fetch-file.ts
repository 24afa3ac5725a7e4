import { CommandFailure } from '../commands/command.ts'
import { resolveLink } from '../download.ts'
import { readIdentity } from '../identity.ts'
import { DeviceOffline, DriverFailure } from './driver.ts'

const maxFileBytes = 5_000_000
const fetchMs = 30_000

const expired = '文件链接已过期，将自动重新下发'

/** Its bytes, which no disk of the site keeps. */
export async function fetchFile(dataDir: string, link: string): Promise<Buffer> {
  const identity = readIdentity(dataDir)
  if (!identity) throw new DriverFailure('网关尚未配对')
  const response = await send(identity.server, link)
  if (response.status >= 500) throw new DeviceOffline(`服务器未能提供文件（HTTP ${response.status}）`)
  // A refusal comes as an answer of the wire, not as a file.
  const isFile = response.status === 200 && !response.headers.get('content-type')?.includes('json')
  if (!isFile) throw new DriverFailure(expired)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (bytes.length > maxFileBytes) throw new DriverFailure('文件过大，设备无法存储')
  return bytes
}

async function send(server: string, link: string): Promise<Response> {
  try {
    const url = resolveLink(server, link)
    return await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(fetchMs) })
  } catch (error) {
    if (error instanceof CommandFailure) throw new DriverFailure(error.message)
    throw new DeviceOffline('服务器未连接')
  }
}
