import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSmtpReceiver, type SmtpReceiver } from './fixtures/smtp-receiver.ts'
import { openMailer } from './mail.ts'

let receiver: SmtpReceiver

beforeEach(async () => {
  receiver = await openSmtpReceiver('right')
})

afterEach(() => receiver.close())

const mailerTo = (port: number, password = 'right', tls: 'none' | 'starttls' = 'none', timeoutMs?: number) =>
  openMailer(
    { host: '127.0.0.1', port, tls, user: 'notice@example.com', password, from: '安居 <notice@example.com>' },
    timeoutMs,
  )

const letter = { to: 'zhou@example.com', subject: '缴费提醒：1-1-101', text: '尊敬的住户，待缴 316.95 元。' }

it('sends Chinese text with a file to the address, signed in', async () => {
  await mailerTo(receiver.port).send({
    ...letter,
    attachments: [{ filename: '催缴函.pdf', content: Buffer.from('%PDF-1.7') }],
  })
  expect(receiver.received).toMatchObject([
    { to: ['zhou@example.com'], user: 'notice@example.com', subject: letter.subject, text: letter.text },
  ])
  expect(receiver.received[0]?.files.get('催缴函.pdf')?.toString()).toBe('%PDF-1.7')
})

it('lets no line break of a subject or an address add a header or a recipient', async () => {
  await mailerTo(receiver.port).send({ ...letter, subject: 'a\r\nBcc: other@example.com' })
  expect(receiver.received).toMatchObject([{ to: ['zhou@example.com'], subject: 'a Bcc: other@example.com' }])
  await expect(
    mailerTo(receiver.port).send({ ...letter, to: 'zhou@example.com>\r\nRCPT TO:<other@example.com' }),
  ).rejects.toThrow()
  expect(receiver.received.flatMap(({ to }) => to)).not.toContain('other@example.com')
})

it('tells an address that is none, a permanent refusal and a temporary one apart', async () => {
  const send = () => mailerTo(receiver.port).send(letter)
  receiver.answers = { recipient: { code: 550, text: '5.1.1 no such user' } }
  await expect(send()).rejects.toMatchObject({
    kind: 'address',
    message: expect.stringMatching(/^邮箱不存在.*550/),
  })
  receiver.answers = { recipient: { code: 450, text: '4.2.1 try later' } }
  await expect(send()).rejects.toMatchObject({
    kind: 'later',
    message: expect.stringMatching(/暂时不能发送.*450/),
  })
  receiver.answers = { message: { code: 554, text: '5.7.1 looks like spam' } }
  await expect(send()).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringMatching(/拒绝发送.*554/),
  })
  expect(receiver.received).toEqual([])
})

it('takes a wrong account, a refused relay and a closed door for faults of the server', async () => {
  await expect(mailerTo(receiver.port, 'wrong').send(letter)).rejects.toMatchObject({
    kind: 'server',
    message: '邮件服务器不接受系统的账号',
  })
  receiver.answers = { recipient: { code: 554, text: '5.7.1 relay access denied' } }
  await expect(mailerTo(receiver.port).send(letter)).rejects.toMatchObject({ kind: 'server' })
})

it('gives up on a server that is slow or away, to be tried again', async () => {
  receiver.answers = { delayMs: 900 }
  const shortTimeoutMailer = mailerTo(receiver.port, 'right', 'none', 300)
  await expect(shortTimeoutMailer.send(letter)).rejects.toMatchObject({ kind: 'server' })
  await receiver.close()
  // The words are shown to staff: they name no address.
  await expect(mailerTo(receiver.port).send(letter)).rejects.toMatchObject({
    kind: 'server',
    message: '连接不上邮件服务器，或等不到答复',
    cause: expect.objectContaining({ message: expect.stringContaining('ECONNREFUSED') }),
  })
})

it('sends no password over a connection that the server does not encrypt', async () => {
  await expect(mailerTo(receiver.port, 'right', 'starttls').send(letter)).rejects.toMatchObject({
    kind: 'server',
    message: expect.stringContaining('SMTP_TLS'),
  })
  expect(receiver.received).toEqual([])
})
