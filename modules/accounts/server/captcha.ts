import { createHash, randomBytes, randomInt } from 'node:crypto'
import { sql, type Store } from '#kit/server/db.ts'
import { captchaSvg, captchaText, type Random } from './captcha-picture.ts'

const lastsMs = 120_000
const random: Random = () => randomInt(0x1_0000_0000) / 0x1_0000_0000

const answerOf = (key: string, text: string): Buffer =>
  createHash('sha256').update(`${key}:${text.trim().toUpperCase()}`).digest()

/** A new picture; its answer is kept as a hash for two minutes. */
export async function issueCaptcha(
  store: Store,
  now: number,
): Promise<{ captchaKey: string; image: string }> {
  const key = randomBytes(18).toString('base64url')
  const text = captchaText(random)
  await store.tx('*', async tx => {
    await tx.run(
      sql`
        insert into captcha (key, answer, expire_time)
        values (${key}, ${answerOf(key, text)}, ${new Date(now + lastsMs)})
      `,
    )
    await tx.run(sql`delete from captcha where expire_time < ${new Date(now)}`)
  })
  return {
    captchaKey: key,
    image: `data:image/svg+xml;base64,${Buffer.from(captchaSvg(text, random)).toString('base64')}`,
  }
}

/** Whether the letters were read aright. Either way the picture is used up. */
export async function spendCaptcha(
  store: Store,
  now: number,
  key: string | undefined,
  text: string | undefined,
): Promise<boolean> {
  if (!key || !text) return false
  const row = await store.tx('*', tx =>
    tx.one<{ answer: Buffer }>(
      sql`delete from captcha where key = ${key} and expire_time > ${new Date(now)} returning answer`,
    ),
  )
  return row !== undefined && answerOf(key, text).equals(row.answer)
}
