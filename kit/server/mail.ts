import { createTransport, type NodemailerError } from 'nodemailer'
import { toError } from '#kit/domain/to-error.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { App } from './app.ts'
import { numberSetting, textSetting, wordSetting, type Setting, type SettingGroup } from './setting.ts'

/** How the connection is encrypted. */
const tlsSetting = wordSetting(
  'SMTP_TLS',
  'starttls',
  ['starttls', 'implicit', 'none'],
  '`starttls`：连接后加密，服务器不支持时不发送；`implicit`：从一开始就加密；`none`：不加密，仅限内网',
)

export const mailSettings = {
  host: textSetting('SMTP_HOST', '', '邮件服务器的地址；不设时不发送邮件'),
  port: numberSetting(
    'SMTP_PORT',
    undefined,
    { min: 1, max: 65_535 },
    '邮件服务器的端口；不设时 `implicit` 为 465，其余为 587',
  ),
  tls: tlsSetting,
  user: textSetting('SMTP_USER', '', '邮件服务器的账号；不设时不登录'),
  password: textSetting('SMTP_PASSWORD', '', '邮件服务器的口令或授权码'),
  from: textSetting('SMTP_FROM', '', '发件人，如 `安居 <notice@example.com>`；不设时为 `SMTP_USER`'),
} satisfies Record<string, Setting<unknown>>

export const mailSettingGroup: SettingGroup = { title: '邮件', settings: Object.values(mailSettings) }

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly attachments?: readonly { readonly filename: string; readonly content: Buffer }[]
}

/**
 * Why a message was not taken: `address` (the server knows no such mailbox), `refused` (the message or our
 * account is refused for good), `later` (the server is away, slow or busy).
 */
export type MailFaultKind = 'address' | 'refused' | 'later'

export class MailFault extends Error {
  readonly kind: MailFaultKind

  constructor(kind: MailFaultKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** A channel for messages by e-mail. Throws a `MailFault` when the server did not take the message. */
export interface Mailer {
  send(mail: Mail): Promise<void>
}

const describeAnswer = ({ response, responseCode }: NodemailerError): string =>
  (response ?? String(responseCode ?? '')).replaceAll(/\s+/g, ' ').slice(0, 70)

function toFault(error: NodemailerError): MailFault {
  if (error.code === 'EAUTH' && error.permanent !== false)
    return new MailFault('refused', `邮件服务器不接受账号：${describeAnswer(error)}`)
  if (error.code === 'ETLS')
    return new MailFault(
      'refused',
      `不能与邮件服务器加密连接，请核对 SMTP_TLS：${error.message.slice(0, 60)}`,
    )
  if (error.permanent)
    return error.command === 'RCPT TO'
      ? new MailFault('address', `邮箱不存在或不收信：${describeAnswer(error)}`)
      : new MailFault('refused', `邮件服务器拒绝发送：${describeAnswer(error)}`)
  return error.responseCode === undefined
    ? new MailFault('later', `连接不上邮件服务器，或等不到答复：${error.message.slice(0, 60)}`)
    : new MailFault('later', `邮件服务器暂时不能发送：${describeAnswer(error)}`)
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

/** Refuses in words where the installation has no mail server. */
export function requireMail(): void {
  if (!isMailAvailable()) refuse('尚未配置邮件服务器，不能发送邮件，请联系系统维护人员设置 SMTP_HOST')
}

const mailerByApp = new WeakMap<App, Mailer>()

/** The channel of this server, as its settings say. */
export function mailerOf(app: App): Mailer {
  requireMail()
  let mailer = mailerByApp.get(app)
  if (!mailer) {
    const tls = mailSettings.tls.read() || 'starttls'
    mailer = openMailer({
      host: mailSettings.host.read(),
      port: mailSettings.port.read() ?? (tls === 'implicit' ? 465 : 587),
      tls,
      user: mailSettings.user.read(),
      password: mailSettings.password.read(),
      from: mailSettings.from.read(),
    })
    mailerByApp.set(app, mailer)
  }
  return mailer
}
