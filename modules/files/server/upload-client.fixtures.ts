import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { envelopeOf, numberOf, textOf } from '#kit/contract/fixtures.ts'
import { isObject, type RawObject } from '#kit/contract/wire/members.ts'
import { portOf } from '#kit/server/fixtures/port.ts'
import type { Server } from '#kit/server/server.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { password } from '#db/golden/golden-data.ts'
import { uploadPurpose } from '../contract/transfer.ts'

const protocol = { 'tus-resumable': '1.0.0' }

const metadata = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')

export interface Answer {
  readonly Code: number
  readonly Message: string
  readonly Data: RawObject
}

/** Uploads by the tus protocol, as a browser sends them. */
export class UploadClient {
  readonly #server: Server
  #token = ''

  constructor(server: Server) {
    this.#server = server
  }

  get token(): string {
    return this.#token
  }

  async post(path: string, body: object, as = this.#token): Promise<Answer> {
    const answer = await this.#server.http.inject({
      method: 'POST',
      url: `/api/${path}`,
      headers: { token: as, 'content-type': 'application/json' },
      payload: JSON.stringify({ Data: body }),
    })
    const { Code, Message, Data } = envelopeOf(answer.json())
    return { Code: numberOf(Code), Message, Data: isObject(Data) ? Data : {} }
  }

  /** The token of somebody else; of the client itself with `signInAs`. */
  async tokenOf(loginCode: string): Promise<string> {
    const path = login.route.split(' ')[1] ?? ''
    const answer = await this.post(path, { Logincode: loginCode, Password: password }, '')
    return textOf(answer.Data.Token)
  }

  async signInAs(loginCode: string): Promise<void> {
    this.#token = await this.tokenOf(loginCode)
  }

  begin(size: number, as = this.#token, details: Readonly<Record<string, string>> = {}) {
    return this.#server.http.inject({
      method: 'POST',
      url: '/api/upload',
      headers: {
        ...protocol,
        token: as,
        'upload-length': String(size),
        'upload-metadata': metadata({
          filename: '竣工图.bin',
          purpose: uploadPurpose,
          projectCode: 'GOLD0001',
          dirId: '0',
          ...details,
        }),
      },
    })
  }

  #partHeaders(offset: number, as: string) {
    return {
      ...protocol,
      token: as,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    }
  }

  send(url: string, offset: number, bytes: Buffer, as = this.#token) {
    return this.#server.http.inject({
      method: 'PATCH',
      url,
      headers: this.#partHeaders(offset, as),
      payload: bytes,
    })
  }

  /** Over a real connection that is cut once `sentBytes` of the bytes have left. The server must listen. */
  async sendCut(url: string, offset: number, bytes: Buffer, sentBytes: number): Promise<void> {
    const req = request({
      host: '127.0.0.1',
      port: portOf(this.#server.http.server),
      method: 'PATCH',
      path: url,
      headers: { ...this.#partHeaders(offset, this.#token), 'content-length': bytes.length },
    })
    req.on('error', () => {})
    await new Promise(resolve => req.write(bytes.subarray(0, sentBytes), resolve))
    // A cut at once would take back what has not been read.
    await pause(200)
    const closed = new Promise(resolve => req.once('close', resolve))
    req.destroy()
    await closed
  }

  async offsetOf(url: string, as = this.#token): Promise<string | undefined> {
    const answer = await this.#server.http.inject({
      method: 'HEAD',
      url,
      headers: { ...protocol, token: as },
    })
    return answer.headers['upload-offset']?.toString()
  }

  /** Takes what has arrived into the first project. */
  claim(url: string): Promise<Answer> {
    return this.post('file/upload', { ProjectCode: 'GOLD0001', DirId: 0, UploadID: url.split('/').at(-1) })
  }
}
