import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { toError } from '#kit/domain/to-error.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { messageEvent } from '../contract/choices.ts'
import type { WechatTemplate } from '../contract/template.ts'
import { fillIn } from '../domain/message-text.ts'
import { findStoredAccount, type StoredAccount } from './platform/account-store.ts'
import { PlatformFault } from './platform/platform-fault.ts'
import { sendTemplateMessage } from './platform/platform-client.ts'

export interface EventMessage {
  readonly ownerId: Id
  readonly openId: string
  readonly event: ChoiceOf<typeof messageEvent>
  /** For `{name}` and its like in the fields of the template. */
  readonly values: Readonly<Record<string, string | undefined>>
  readonly url?: string | undefined
}

/** `refused`: the follower declines messages (43101), which is no fault (WX-1). */
export interface MessageOutcome {
  readonly state: 'sent' | 'refused' | 'noContact' | 'failed'
  readonly reason?: string
}

const stateByCode: Readonly<Record<number, MessageOutcome['state']>> = {
  40003: 'noContact',
  43004: 'noContact',
  43101: 'refused',
}

/** What a thrown error says of a message. */
export function outcomeOf(error: unknown): MessageOutcome {
  const state = error instanceof PlatformFault ? (stateByCode[error.errcode] ?? 'failed') : 'failed'
  return { state, reason: toError(error).message.slice(0, 100) }
}

/** What stands in each field of a template. */
export const filledFields = (
  { fieldValues }: Pick<WechatTemplate, 'fieldValues'>,
  values: EventMessage['values'],
): Record<string, string> =>
  Object.fromEntries((fieldValues ?? []).map(({ name, value }) => [name, fillIn(value, values)]))

interface Chosen extends Pick<WechatTemplate, 'templateId' | 'fieldValues'> {
  readonly accountId: Id
}

export interface EventTemplate {
  readonly account: StoredAccount
  readonly template: Pick<WechatTemplate, 'templateId' | 'fieldValues'>
}

/** The template of the account that the person follows, for the event or else for any. */
export async function findEventTemplate(
  app: App,
  { ownerId, openId, event }: Pick<EventMessage, 'ownerId' | 'openId' | 'event'>,
): Promise<EventTemplate | undefined> {
  const reader = app.database.reader(ownerId)
  const template = await reader.one<Chosen>(sql`
    select t.account_id, t.template_id, t.field_values
    from wechat_follower f
    join wechat_template t on t.owner_id = ${ownerId}
      and t.account_id = f.account_id
      and t.event in (${codeOf(messageEvent, event)}, ${codeOf(messageEvent, 'other')})
      and t.state = ${code(enabledState, 'on')}
      and ${notDeleted('t')}
    where f.owner_id = ${ownerId} and f.open_id = ${openId} and f.is_following and ${notDeleted('f')}
    order by t.event, f.id desc
    limit 1
  `)
  const account = template && (await findStoredAccount(app, reader, ownerId, template.accountId))
  return account && { account, template }
}

/** Throws what the platform answers. */
export const sendByTemplate = (
  app: App,
  { account, template }: EventTemplate,
  { openId, values, url }: Pick<EventMessage, 'openId' | 'values' | 'url'>,
): Promise<{ readonly msgid?: number }> =>
  sendTemplateMessage(app, account, {
    openId,
    templateId: template.templateId,
    data: filledFields(template, values),
    url,
  })

/** A message of an event to somebody who follows an account of the company, else nothing. */
export async function sendEventMessage(app: App, message: EventMessage): Promise<MessageOutcome | undefined> {
  const found = await findEventTemplate(app, message)
  if (!found) return undefined
  try {
    await sendByTemplate(app, found, message)
    return { state: 'sent' }
  } catch (error) {
    return outcomeOf(error)
  }
}
