import { refuse, type FieldFault } from '#kit/contract/wire.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes, type ReadContext } from '#kit/server/handler.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, findByKey, requireById, updateAll } from '#kit/server/table.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import { templateState } from '../contract/choices.ts'
import { invitation } from '../contract/invitation.ts'
import {
  getInvitationPicture,
  inviteTemplate,
  inviteTemplates,
  publishTemplate,
  type InvitationPicture,
  type InviteTemplate,
} from '../contract/template.ts'
import { inviteRule } from '../contract/rule.ts'
import { inviteVisitor, type InviteVisitor } from '../contract/visitor.ts'
import { hasAllPapers } from '../domain/papers.ts'
import { canPass } from '../domain/pass.ts'
import { plainTemplate, templateFaults } from '../domain/template.ts'
import { lockProject } from './project-lock.ts'

type Draft = Pick<InviteTemplate, 'parts' | 'width' | 'height'>

const server = crudHandlers(inviteTemplates, {
  unique: { invite_template_name_live: '该项目已有同名模板，请更换' },
  refusesChangeOf: ['projectCode'],
  pictures: ['background'],
  check: (draft: Draft): FieldFault[] => templateFaults(draft),
  /** Only publishing makes a template that of the project. */
  beforeInsert: () => ({ isDefault: false, state: 'draft' as const }),
  beforeUpdate: (_draft, _c, { isDefault, state }) => ({ isDefault, state }),
  beforeDelete: async ([template]) =>
    template?.isDefault ? refuse('该模板正在使用，请先发布另一个模板') : undefined,
})

/** What visitors' pictures of a project look like: its published template, else a plain one. */
async function layoutOf(projectCode: string, { db, scope }: Pick<ReadContext, 'db' | 'scope'>) {
  const where = [sql`t.is_default`, sql`t.state = ${code(templateState, 'published')}`]
  const [published] = await findAll(db, inviteTemplate, scope, { projectCode }, { where, limit: 1 })
  return published ?? plainTemplate
}

/** The picture of a visit that is allowed; before that the code is worth nothing. */
export async function pictureOf(
  visitor: InviteVisitor,
  c: Pick<ReadContext, 'db' | 'scope'>,
): Promise<InvitationPicture> {
  const { db, scope } = c
  if (!canPass(visitor.state)) refuse('邀访尚未通过或已失效，没有邀请函')
  const { width, height, background, parts } = await layoutOf(visitor.projectCode, c)
  const invited = await requireById(db, invitation, scope, visitor.invitationId)
  const rule = await requireById(db, inviteRule, scope, invited.ruleId)
  if (!hasAllPapers(visitor, rule)) refuse('访客尚未补齐证件或人脸，补齐后才有邀请函')
  const project = await findByKey(db, estate, scope, visitor.projectCode)
  return {
    width,
    height,
    background,
    parts,
    inviteNo: visitor.inviteNo,
    visitorName: visitor.visitorName,
    hostName: invited.hostName,
    place: invited.roomPath ?? invited.companyName,
    estateName: project?.name ?? visitor.projectCode,
    plateNo: visitor.plateNo,
    beginTime: visitor.beginTime,
    endTime: visitor.endTime,
  }
}

const handlers = [
  writes(publishTemplate, async ({ id }, { tx, scope }) => {
    const { projectCode } = await requireById(tx, inviteTemplate, scope, id)
    await lockProject(tx, scope, projectCode)
    const template = await requireById(tx, inviteTemplate, scope, id, { lock: true })
    const where = [sql`t.is_default`, sql`t.id <> ${id}`]
    const others = await findAll(tx, inviteTemplate, scope, { projectCode }, { where })
    await updateAll(tx, inviteTemplate, scope, others, { isDefault: false, state: 'draft' })
    const published = { isDefault: true, state: 'published' as const }
    await updateAll(tx, inviteTemplate, scope, [template], published, { action: 'state' })
    return requireById(tx, inviteTemplate, scope, id)
  }),
  reads(getInvitationPicture, async ({ id }, c) =>
    pictureOf(await requireById(c.db, inviteVisitor, c.scope, id), c),
  ),
]

export const templateServer = joinServers(server, { handlers })
