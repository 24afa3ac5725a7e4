import { invalidField, refuse, type FieldFault } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { anonymous, type WriteContext } from '#kit/server/handler.ts'
import type { Db } from '#kit/server/db.ts'
import { requireById } from '#kit/server/table.ts'
import {
  listPlatformTemplates,
  sendTrialTemplate,
  wechatTemplate,
  wechatTemplates,
  type WechatTemplate,
} from '../contract/template.ts'
import { unknownVariables } from '../domain/message-text.ts'
import { templateFieldFault } from '../domain/template-fields.ts'
import { scopeOfCaller } from './account-context.ts'
import { requireFollower } from './followers.ts'
import { requireStoredAccount } from './platform/account-store.ts'
import { callPlatform, sendTemplateMessage } from './platform/platform-client.ts'
import { refusePlatform } from './platform/refuse-platform.ts'
import { filledFields } from './template-sending.ts'

type Draft = Pick<WechatTemplate, 'accountId' | 'event' | 'templateId' | 'fieldValues' | 'state'>

const inContent = (Message: string): FieldFault[] => [{ Field: 'DataJson', Message }]

function valueFaults({ event, fieldValues = [] }: Pick<Draft, 'event' | 'fieldValues'>): FieldFault[] {
  const names = fieldValues.map(each => each.name.trim())
  if (!names.length) return inContent('请填写模板内容，至少一个字段')
  if (new Set(names).size < names.length) return inContent('字段重复，请删除多余的')
  const [unknown] = fieldValues.flatMap(({ value }) => unknownVariables(value, event))
  return unknown === undefined
    ? []
    : inContent(`变量 {${unknown}} 不存在，可用 {name} {room} {project} {title} {content} {time}`)
}

interface PlatformTemplate {
  readonly template_id: string
  readonly title: string
  readonly content: string
}

const findPlatformTemplates = async (
  app: App,
  db: Db,
  ownerId: Id,
  accountId: Id,
): Promise<readonly PlatformTemplate[]> => {
  const account = await requireStoredAccount(app, db, ownerId, accountId)
  const { template_list: found = [] } = await refusePlatform(
    callPlatform<{ template_list?: readonly PlatformTemplate[] }>(
      app,
      account,
      '/cgi-bin/template/get_all_private_template',
    ),
  )
  return found
}

/**
 * The platform knows which templates the account has, and with which fields: what does not fit would be
 * refused with every message. Asked while nothing is locked yet; one that is switched off is not asked about.
 */
async function platformFaults(draft: Draft, { app, tx, scope }: WriteContext): Promise<FieldFault[]> {
  if (draft.state === 'off') return []
  const found = await findPlatformTemplates(app, tx, scope.ownerId, draft.accountId)
  const template = found.find(({ template_id: id }) => id === draft.templateId.trim())
  if (!template)
    return [
      {
        Field: 'TemplateID',
        Message: found.length
          ? '公众号没有该模板，请核对编号，或先在微信公众平台添加'
          : '公众号没有模板，请先在微信公众平台添加',
      },
    ]
  const names = (draft.fieldValues ?? []).map(({ name }) => name.trim())
  const fault = templateFieldFault(template.content, names)
  return fault ? inContent(fault) : []
}

const crudServer = crudHandlers(wechatTemplates, {
  unique: { wechat_template_event_live: '该通知事项已设置模板，请编辑已有的' },
  refusesChangeOf: ['accountId', 'event'],
  check: async (draft: Draft, c, before) => {
    const faults = valueFaults({ ...draft, event: before?.event ?? draft.event })
    return faults.length ? faults : platformFaults(draft, c)
  },
})

const listHandler = anonymous(listPlatformTemplates, async ({ accountId }, c) => {
  const { ownerId } = scopeOfCaller(c)
  const found = await findPlatformTemplates(c.app, c.app.database.reader(ownerId), ownerId, accountId)
  return found.map(({ template_id: templateId, title, content }) => ({
    templateId,
    templateTitle: title,
    content,
  }))
})

const trialHandler = anonymous(sendTrialTemplate, async ({ id, followerId }, c) => {
  const { app } = c
  const scope = scopeOfCaller(c)
  const reader = app.database.reader(scope.ownerId)
  const template = await requireById(reader, wechatTemplate, scope, id)
  const follower = await requireFollower(reader, scope, followerId)
  if (follower.accountId !== template.accountId) throw invalidField('FollowerID', '请选择该公众号的关注者')
  if (!follower.isFollowing) return refuse('该用户已取消关注，请选择其他关注者')
  const account = await requireStoredAccount(app, reader, scope.ownerId, template.accountId)
  const values = {
    name: '张三',
    room: '1栋1单元101',
    project: follower.estateName ?? '示例项目',
    title: '试发的消息',
    content: '试发的消息',
    time: fromInstant(app.clock()).slice(0, 16),
  }
  await refusePlatform(
    sendTemplateMessage(app, account, {
      openId: follower.openId,
      templateId: template.templateId,
      data: filledFields(template, values),
    }),
  )
})

export const templateServer = joinServers(crudServer, { handlers: [listHandler, trialHandler] })
