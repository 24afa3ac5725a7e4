import { parseId, type Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import type { RawEndpoint, RawResponse } from '#kit/server/raw-endpoint.ts'
import { registerTemplateLink } from '#modules/devices/server/public.ts'
import { readResidentTemplate } from '#modules/residents/server/public.ts'
import { readStaffTemplate } from '#modules/staff/server/public.ts'

/** Outside the calls: a gateway fetches a template here as it is sent to a device, and stores it nowhere. */
const path = '/api/door/fingerprint'

const messageOf = (ownerId: Id, finger: string): string => `fingerprint ${ownerId} ${finger}`

/** `u12.3`: the third version of a resident's finger; of one of the staff `s12.3`. */
const fingerPattern = /^([us])(\d{1,15})\.\d+$/

registerTemplateLink('fingerprint', (app, ownerId, finger) => {
  const { until, signature } = app.files.sign(messageOf(ownerId, finger))
  const query = new URLSearchParams({
    Finger: finger,
    Owner: String(ownerId),
    Until: String(until),
    Sign: signature,
  })
  return `${path}?${query}`
})

const refusedAnswer = (status: 403 | 404, message: string): RawResponse => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify({ ok: false, message }),
})

const readTemplate = (app: App, ownerId: Id, finger: string): Promise<string | undefined> => {
  const [, letter, id] = fingerPattern.exec(finger) ?? []
  return letter === 'u'
    ? readResidentTemplate(app, ownerId, parseId(id))
    : readStaffTemplate(app, ownerId, parseId(id))
}

export const fingerprintEndpoint: RawEndpoint = {
  route: `GET ${path}`,
  run: async ({ query }, app) => {
    const [finger, signature] = [query.get('Finger') ?? '', query.get('Sign') ?? '']
    const [ownerId, until] = [parseId(query.get('Owner')), Number(query.get('Until'))]
    const isSigned =
      fingerPattern.test(finger) &&
      Number.isSafeInteger(until) &&
      app.files.isSigned(messageOf(ownerId, finger), until, signature)
    if (!isSigned) return refusedAnswer(403, '链接已失效')
    const template = await readTemplate(app, ownerId, finger)
    return template === undefined
      ? refusedAnswer(404, '指纹已删除')
      : { type: 'application/octet-stream', body: template }
  },
}
