import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Call } from '#kit/contract/call.ts'
import { decodeResponse, encodeRequest, isSuccess, type Envelope, type Sender } from '#kit/contract/wire.ts'
import { root } from '../source-files.ts'

export interface ProofCaller extends Sender {
  readonly token?: string
}

export interface ProofAnswer {
  readonly status: number
  readonly envelope: Envelope | undefined
}

/** A process of the product on a port, called over the network as a browser does. */
export interface ProofServer {
  readonly name: string
  /** What it logged as an error. */
  readonly errors: string[]
  send(call: Call, input: unknown, caller: ProofCaller, file?: Blob): Promise<ProofAnswer>
  /** The decoded answer; throws the message of a refusal. */
  call<I, O>(call: Call<I, O>, input: NoInfer<I>, caller: ProofCaller, file?: Blob): Promise<O>
  kill(): Promise<void>
  close(): Promise<void>
}

export async function startProofServer(
  name: string,
  { databaseUrl, dataDir, port }: { databaseUrl: string; dataDir: string; port: number },
): Promise<ProofServer> {
  const child = spawn(process.execPath, [join(root, 'tools/serve.ts')], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors: string[] = []
  collectErrors(child, errors)
  const exited = once(child, 'exit')
  const origin = `http://127.0.0.1:${port}`
  await waitUntilReady(name, origin, child, errors)
  const send: ProofServer['send'] = async (call, input, { token, ...sender }, file) => {
    const request = encodeRequest(call, input, sender)
    const address = `${origin}${request.path.startsWith('/') ? '' : '/api/'}${request.path}`
    const headers: Record<string, string> = token ? { token } : {}
    if (request.body !== undefined && !file) {
      headers['content-type'] =
        request.method === 'PUT' ? 'application/json' : 'application/x-www-form-urlencoded'
    }
    const body = file ? toMultipart(request.body ?? '', file) : request.body
    const response = await fetch(request.query ? `${address}?${request.query}` : address, {
      method: request.method,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, envelope: isJson ? JSON.parse(text) : undefined }
  }
  return {
    name,
    errors,
    send,
    call: async (call, input, caller, file) => {
      const { status, envelope } = await send(call, input, caller, file)
      if (!envelope || !isSuccess(envelope.Code))
        throw new Error(
          `${call.title}：${status} ${envelope?.Message ?? ''} ${JSON.stringify(envelope?.Data)}`,
        )
      return decodeResponse(call, envelope)
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
    close: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** A form's members beside a file. */
function toMultipart(body: string, file: Blob): FormData {
  const form = new FormData()
  for (const [name, value] of new URLSearchParams(body)) {
    form.append(name, value)
  }
  form.append('file', file, 'proof.xlsx')
  return form
}

function collectErrors(child: ChildProcess, errors: string[]): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', line => {
      if (/"level":(50|60)/.test(line) || !line.startsWith('{')) {
        errors.push(line)
      }
    })
  }
}

async function waitUntilReady(
  name: string,
  origin: string,
  child: ChildProcess,
  errors: readonly string[],
): Promise<void> {
  for (let attempt = 0; attempt < 240; attempt++) {
    if (child.exitCode !== null) throw new Error(`服务 ${name} 没有启动：${errors.join('\n')}`)
    const answer = await fetch(`${origin}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await pause(250)
  }
  throw new Error(`服务 ${name} 一分钟内没有准备好`)
}

export const pause = (ms: number): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, ms)
  })
