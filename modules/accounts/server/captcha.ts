import { createHash, randomBytes, randomInt } from 'node:crypto'
import { sql, type Database } from '#kit/server/db.ts'
import { renderCaptchaPng, generateCaptchaText, type RandomSource } from './captcha-image.ts'

const captchaLifetimeMs = 120_000
const secureRandom: RandomSource = () => randomInt(0x1_0000_0000) / 0x1_0000_0000

const hashAnswer = (key: string, text: string): Buffer =>
  createHash('sha256').update(`${key}:${text.trim().toUpperCase()}`).digest()

/** A new captcha; its answer is stored as a hash for two minutes. */
export async function issueCaptcha(
  database: Database,
  now: number,
): Promise<{ captchaKey: string; image: string }> {
  const key = randomBytes(18).toString('base64url')
  const text = generateCaptchaText(secureRandom)
  await database.tx('*', async tx => {
    await tx.execute(
      sql`
        insert into captcha (key, answer, expire_time)
        values (${key}, ${hashAnswer(key, text)}, ${new Date(now + captchaLifetimeMs)})
      `,
    )
    await tx.execute(sql`delete from captcha where expire_time < ${new Date(now)}`)
  })
  const picture = await renderCaptchaPng(text, secureRandom)
  return { captchaKey: key, image: `data:image/png;base64,${picture.toString('base64')}` }
}

/** Whether the letters are right. Either way the captcha is used up. */
export async function consumeCaptcha(
  database: Database,
  now: number,
  key: string | undefined,
  text: string | undefined,
): Promise<boolean> {
  if (!key || !text) return false
  const row = await database.tx('*', tx =>
    tx.one<{ answer: Buffer }>(
      sql`delete from captcha where key = ${key} and expire_time > ${new Date(now)} returning answer`,
    ),
  )
  return row !== undefined && hashAnswer(key, text).equals(row.answer)
}
