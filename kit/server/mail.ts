import { createTransport, type NodemailerError } from 'nodemailer'
import { toError } from '#kit/domain/to-error.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { App } from './app.ts'
import { mailSettings } from './mail-settings.ts'
import { declareCounter } from './observation/counter.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly attachments?: readonly { readonly filename: string; readonly content: Buffer }[]
}

/**
 * Why a message was not taken: `address` (the server knows no such mailbox), `refused` (this message is
 * refused permanently), `later` (the server is busy), `server` (it cannot be reached, or does not take what
 * the settings say: no message gets out until that is mended).
 */
const faultKinds = ['address', 'refused', 'later', 'server'] as const
export type MailFaultKind = (typeof faultKinds)[number]

/** The words are for staff. The cause is for the log: it may name hosts and accounts. */
export class MailFault extends Error {
  readonly kind: MailFaultKind

  constructor(kind: MailFaultKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

const mailCounter = declareCounter('mail_total', 'E-mails by how their sending ended', 'result', [
  'sent',
  ...faultKinds,
])

/** A channel for messages by e-mail. Throws a `MailFault` when the server did not take the message. */
export interface Mailer {
  send(mail: Mail): Promise<void>
}

const describeAnswer = ({ response, responseCode }: NodemailerError): string =>
  (response ?? String(responseCode ?? '')).replaceAll(/\s+/g, ' ').slice(0, 70)

/** A refusal of this server to relay, not of the mailbox (RFC 3463: 5.7, policy). */
const isRelayRefusal = ({ response = '' }: NodemailerError): boolean => /^\d{3}[ -]5\.7\./.test(response)

function toFault(error: NodemailerError): MailFault {
  if (error.code === 'EAUTH') return new MailFault('server', '邮件服务器不接受系统的账号', error)
  if (error.code === 'ETLS')
    return new MailFault('server', '不能与邮件服务器加密连接，请核对 SMTP_TLS', error)
  // Never sent: it is no address, or the message is larger than the server takes.
  if (error.responseCode === undefined && error.code === 'EENVELOPE')
    return new MailFault('address', '邮箱格式不正确', error)
  if (error.responseCode === undefined && error.code === 'EMESSAGE')
    return new MailFault('refused', '邮件不能发送，可能过大', error)
  if (error.permanent) {
    const answer = describeAnswer(error)
    if (error.command === 'RCPT TO' && !isRelayRefusal(error))
      return new MailFault('address', `邮箱不存在或不收信：${answer}`, error)
    return error.command === 'DATA'
      ? new MailFault('refused', `邮件服务器拒绝发送：${answer}`, error)
      : new MailFault('server', `邮件服务器不接受系统的邮件：${answer}`, error)
  }
  return error.responseCode === undefined
    ? new MailFault('server', '连接不上邮件服务器，或等不到答复', error)
    : new MailFault('later', `邮件服务器暂时不能发送：${describeAnswer(error)}`, error)
}

interface MailServer {
  readonly host: string
  readonly port: number
  readonly tls: 'starttls' | 'implicit' | 'none'
  readonly user: string
  readonly password: string
  readonly from: string
}

const defaultTimeoutMs = 15_000

export function openMailer(server: MailServer, timeoutMs = defaultTimeoutMs): Mailer {
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.tls === 'implicit',
    requireTLS: server.tls === 'starttls',
    ignoreTLS: server.tls === 'none',
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    ...(server.user ? { auth: { user: server.user, pass: server.password } } : {}),
    // What is sent is made here: no address and no file of elsewhere is read into it.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ to, subject, text, attachments = [] }) => {
      try {
        await transport.sendMail({
          from: server.from || server.user,
          to: { name: '', address: to },
          subject,
          text,
          attachments: [...attachments],
        })
      } catch (e) {
        throw toFault(toError(e))
      }
    },
  }
}

export const isMailAvailable = (): boolean => mailSettings.host.read() !== ''

/** Refuses with a message where the installation has no mail server. */
export function requireMail(): void {
  if (!isMailAvailable()) refuse('尚未配置邮件服务器，不能发送邮件，请联系系统维护人员设置 SMTP_HOST')
}

/** Counts what is sent, and writes down what is not: the operator has no other sight of the mail server. */
const withRecord = (mailer: Mailer, log: App['log']): Mailer => ({
  send: async mail => {
    try {
      await mailer.send(mail)
      mailCounter.add('sent')
    } catch (error) {
      if (error instanceof MailFault) {
        mailCounter.add(error.kind)
        log[error.kind === 'server' ? 'error' : 'warn']({ err: error, kind: error.kind }, 'mail not sent')
      }
      throw error
    }
  },
})

const mailerByApp = new WeakMap<App, Mailer>()

/** The channel of this server, as its settings say. */
export function mailerOf(app: App): Mailer {
  requireMail()
  let mailer = mailerByApp.get(app)
  if (!mailer) {
    const tls = mailSettings.tls.read() || 'starttls'
    const opened = openMailer({
      host: mailSettings.host.read(),
      port: mailSettings.port.read() ?? (tls === 'implicit' ? 465 : 587),
      tls,
      user: mailSettings.user.read(),
      password: mailSettings.password.read(),
      from: mailSettings.from.read(),
    })
    mailer = withRecord(opened, app.log)
    mailerByApp.set(app, mailer)
  }
  return mailer
}
