import { createHmac, randomBytes, randomInt } from 'node:crypto'
import type { XmlTree } from '../platform/xml.ts'

/** What one simulated account is known by. */
export interface SimulatedKeys {
  readonly appId: string
  readonly name: string
  readonly secret: string
  readonly token?: string | undefined
  readonly aesKey?: string | undefined
  readonly isEncrypted: boolean
  readonly callbackUrl: string
}

/** What a follower sees in the conversation with the account. */
export interface PhoneMessage {
  readonly from: 'me' | 'account'
  readonly kind: 'text' | 'image' | 'voice' | 'video' | 'article' | 'template' | 'event'
  readonly text: string
  readonly url?: string | undefined
}

export interface SimulatedFollower {
  readonly name: string
  readonly openId: string
  isFollowing: boolean
  refusesTemplates: boolean
  /** Of the last message: customer service may write for two days. */
  lastTime: number
  readonly messages: PhoneMessage[]
}

export interface SimulatedButton {
  readonly name: string
  readonly type?: string | undefined
  readonly key?: string | undefined
  readonly url?: string | undefined
  readonly appid?: string | undefined
  readonly pagepath?: string | undefined
  readonly sub_button?: readonly SimulatedButton[] | undefined
}

export interface SimulatedMedia {
  readonly type: string
  readonly title: string
}

/** An event about a mass message or a template message that has been sent. */
export interface SimulatedJob {
  readonly openId: string
  readonly fields: XmlTree
}

const tokenSeconds = 7200
const maxMessages = 100

/** One account at the simulated platform. */
export class SimulatedAccount {
  keys: SimulatedKeys
  menu: readonly SimulatedButton[] = []
  readonly followers = new Map<string, SimulatedFollower>()
  readonly scenes = new Map<string, string>()
  readonly media = new Map<string, SimulatedMedia>()
  /** Codes of people who agreed to be known, each good once. */
  readonly codes = new Map<string, { readonly openId: string; readonly until: number }>()
  readonly massIds = new Map<string, number>()
  /** What became of what was given to send, until it is posted to the account. */
  readonly jobs: SimulatedJob[] = []
  /** A test posts them by itself. */
  holdsJobs = false
  /** What the next jobs come to, where it is not what one expects. */
  jobStatus: string | undefined
  /** Calls that the platform takes before it answers 45009. */
  callsLeft = Number.POSITIVE_INFINITY
  /** The platform hangs up on whatever is asked of it. */
  isAway = false
  #issuedAfter = 0
  #serial = 0
  readonly #firstId = randomInt(10 ** 12) * 1000

  constructor(keys: SimulatedKeys) {
    this.keys = keys
  }

  /** Tokens say by themselves when they were issued: every server of the installation knows them. */
  issueToken(nowMs: number): { readonly access_token: string; readonly expires_in: number } {
    const issued = Math.max(Math.floor(nowMs / 1000), this.#issuedAfter + 1)
    return { access_token: `${this.keys.appId}.${issued}.${this.#mark(issued)}`, expires_in: tokenSeconds }
  }

  isTokenValid(token: string, nowMs: number): boolean {
    const [appId = '', issuedText = '', mark = ''] = token.split('.')
    const issued = Number(issuedText)
    return (
      appId === this.keys.appId &&
      mark === this.#mark(issued) &&
      issued > this.#issuedAfter &&
      issued + tokenSeconds > nowMs / 1000
    )
  }

  /** Every token issued so far is refused from now on. */
  expireTokens(nowMs: number): void {
    this.#issuedAfter = Math.max(Math.floor(nowMs / 1000), this.#issuedAfter + 1)
  }

  #mark(issued: number): string {
    return createHmac('sha256', this.keys.secret).update(String(issued)).digest('hex').slice(0, 40)
  }

  nextId(): number {
    this.#serial += 1
    return this.#firstId + this.#serial
  }

  /** Material gets a number that nobody guesses. */
  addMedia(media: SimulatedMedia): string {
    const mediaId = randomBytes(24).toString('base64url')
    this.media.set(mediaId, media)
    return mediaId
  }
}

export const keepPhoneMessage = (follower: SimulatedFollower, message: PhoneMessage): void => {
  follower.messages.push(message)
  if (follower.messages.length > maxMessages) {
    follower.messages.shift()
  }
}
