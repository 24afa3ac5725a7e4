import { createServer, type Server } from 'node:http'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import type { RawResponse } from '#kit/server/raw-endpoint.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { wechatAccounts, type WechatAccount } from '../contract/account.ts'
import { callbackEndpoints } from './callback.ts'
import { requireStoredAccount } from './platform/account-store.ts'
import { deliverJobs, signedPost, signedText } from './simulator/callback-client.ts'
import type { SimulatedAccount } from './simulator/platform-state.ts'
import { actOnPhone, followerOf, simulatedAccount } from './simulator/simulator.ts'
import type { XmlTree } from './platform/xml.ts'

export interface CallbackServer {
  readonly origin: string
  close(): void
}

/** What the platform reaches of us: the callback addresses alone, at a port of their own. */
export async function openCallbackServer(app: App): Promise<CallbackServer> {
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      receive(app, request.method ?? '', request.url ?? '', Buffer.concat(parts)).then(
        answer => response.writeHead(answer.status ?? 200).end(answer.body),
        error => response.writeHead(500).end(String(error)),
      )
    })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  Object.assign(app, { originUrl: () => origin })
  return {
    origin,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** One request at the callback address, without a socket. */
export function receive(app: App, method: string, url: string, bytes: Buffer): Promise<RawResponse> {
  const at = new URL(url, 'http://127.0.0.1')
  const [, , , , ownerId = '', accountId = ''] = at.pathname.split('/')
  const endpoint = defined(callbackEndpoints.find(each => each.route.startsWith(`${method} `)))
  return endpoint.run(
    {
      params: { ownerId, accountId },
      query: at.searchParams,
      headers: {},
      body: bytes.toString(),
      bytes,
      ip: '127.0.0.1',
      agent: '',
      origin: 'https://anju.example',
    },
    app,
  )
}

let made = 0

/** An account at the simulated platform, and the phones that follow it. */
export class AccountFixture {
  readonly #t: GoldenApp
  readonly account: WechatAccount
  readonly platform: SimulatedAccount

  private constructor(t: GoldenApp, account: WechatAccount, platform: SimulatedAccount) {
    this.#t = t
    this.account = account
    this.platform = platform
  }

  static async open(
    t: GoldenApp,
    me: CallOptions,
    more: Partial<WechatAccount> = {},
  ): Promise<AccountFixture> {
    made += 1
    const account = await t.call(
      wechatAccounts.add,
      {
        mpName: `公众号${made}`,
        mpType: 'service',
        appId: `wx${String(made).padStart(16, '0')}`,
        simulated: true,
        messageMode: 'encrypted',
        ...more,
      },
      me,
    )
    const stored = await requireStoredAccount(t.app, t.database.reader(t.ownerId), t.ownerId, account.id)
    const platform = await simulatedAccount(t.app, stored)
    platform.holdsJobs = true
    return new AccountFixture(t, account, platform)
  }

  get id(): Id {
    return this.account.id
  }

  perform(person: string, what: string, more: Readonly<Record<string, string>> = {}): Promise<number> {
    return actOnPhone(this.platform, { person, what, ...more }, this.#t.app.clock())
  }

  /** The texts that a person's phone shows, the latest last. */
  seenBy(person: string): string[] {
    return followerOf(this.platform, person).messages.map(message => message.text)
  }

  openIdOf(person: string): string {
    return followerOf(this.platform, person).openId
  }

  /** What the platform reports of what it was given to send. */
  reportJobs(): Promise<void> {
    return deliverJobs(this.platform, this.#t.app.clock())
  }

  /** What the platform would post, for a test that changes it before it is sent. */
  signed(message: XmlTree, secondsOff = 0): { readonly url: string; readonly body: string } {
    const seconds = Math.floor(this.#t.app.clock() / 1000) + secondsOff
    return signedPost(this.platform, { CreateTime: seconds, ...message }, seconds)
  }

  /** Any text within the signature and encryption of the platform. */
  sealed(plain: string): { readonly url: string; readonly body: string } {
    return signedText(this.platform, plain, Math.floor(this.#t.app.clock() / 1000))
  }

  async post({ url, body }: { readonly url: string; readonly body: string }): Promise<RawResponse> {
    return receive(this.#t.app, 'POST', url, Buffer.from(body))
  }
}
