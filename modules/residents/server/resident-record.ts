import { defineEvent } from '#kit/server/event.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse, invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import { buildSearchText } from '#kit/domain/search-text.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { uniqueMessages } from '#kit/server/handler.ts'
import { checkPicture } from '#kit/server/picture.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { insert, update, withAllFields } from '#kit/server/table.ts'
import { restoreMasked } from '#kit/server/privacy.ts'
import type { App } from '#kit/server/app.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import {
  addResident,
  editResident,
  resident,
  type IncomingPerson,
  type Resident,
} from '../contract/resident.ts'
import { completeFromCert, personFaults } from '../domain/person.ts'
import { menu } from '../module.ts'
import { residentDomainFilter, requireResident } from './resident-access.ts'
import { syncRoomOccupancy } from './room-occupancy.ts'
import { findSameResidents } from './resident-list.ts'
import { residencyStatus } from '../contract/labels.ts'

uniqueMessages({
  resident_mobile_live: '该手机号已存在，请关联到已有住户，或填写其他手机号',
  resident_cert_live: '该证件号已存在，请关联到已有住户，或核对证件号',
})

type ResidentDraft = Omit<NonNullable<typeof addResident.input.T>, 'rooms' | 'linkExisting'>

/** The text that a keyword is matched with. */
export const residentSearchText = (person: Pick<Resident, 'name' | 'mobile' | 'phone2'>): string =>
  buildSearchText([person.name], [person.mobile, person.phone2])

export const saveResidentSearchText = (tx: Tx, ownerId: Id, person: Resident): Promise<number> =>
  tx.execute(
    sql`
      update resident
      set search_text = ${residentSearchText(person)}
      where owner_id = ${ownerId}
        and id = ${person.id}
    `,
  )

const shortName = (name: string): string =>
  [...name].length > 10 ? `${[...name].slice(0, 10).join('')}...` : name

/**
 * Why two records would be one person (BASE-13). Of somebody in a project that the caller may not see, only
 * the fact.
 */
async function findDuplicateFaults(
  tx: Tx,
  scope: Scope,
  person: ResidentDraft,
  fieldPrefix: string,
): Promise<{ faults: FieldFault[]; existing: Resident | undefined }> {
  const duplicates = await findSameResidents(tx, scope, person)
  if (!duplicates.length) return { faults: [], existing: undefined }
  const visibleIds = scope.domain.all
    ? new Set(duplicates.map(match => match.id))
    : new Set(
        (
          await tx.rows<{ id: Id }>(
            sql`
              select t.id
              from resident t
              where t.owner_id = ${scope.ownerId}
                and t.id = any(${duplicates.map(match => match.id)})
                and ${sql.join(residentDomainFilter(scope), sql` and `)}
            `,
          )
        ).map(match => match.id),
      )
  const faults = duplicates.map((match): FieldFault => {
    const byMobile = person.mobile !== undefined && match.mobile === person.mobile
    const numberName = byMobile ? '手机号' : '证件号'
    return {
      Field: `${fieldPrefix}${byMobile ? 'Mobile' : 'CertNo'}`,
      Message: visibleIds.has(match.id)
        ? `该${numberName}已存在：${shortName(match.name)}，是同一个人请选择「关联到已有住户」`
        : `该${numberName}已存在（登记在其他项目），请联系有权限的人员关联`,
    }
  })
  const visible = duplicates.filter(match => visibleIds.has(match.id))
  return {
    faults,
    existing: visible.length === duplicates.length && visible.length === 1 ? visible[0] : undefined,
  }
}

export interface ResidentSaveContext {
  readonly tx: Tx
  readonly scope: Scope
  readonly app: App
  readonly today: Day
  readonly fieldPrefix?: string
  readonly linkExisting?: boolean | undefined
}

/**
 * A new person, or with `linkExisting` the one who is there under the same mobile or document (BASE-13).
 * Refuses with everything that is wrong, at its field.
 */
export async function findOrCreateResident(
  draft: ResidentDraft,
  context: ResidentSaveContext,
): Promise<Resident> {
  const { tx, scope, app, today, fieldPrefix = '' } = context
  const person = completeFromCert(draft)
  const faults = [
    ...personFaults(person, today),
    ...(await checkPicture(app.files, scope.ownerId, person.photo, 'PhotoUrl', '照片')),
  ].map(f => ({ ...f, Field: fieldPrefix + f.Field }))
  if (faults.length) throw invalidInput(faults)
  const duplicates = await findDuplicateFaults(tx, scope, person, fieldPrefix)
  if (duplicates.existing && context.linkExisting) {
    if (duplicates.existing.name !== person.name)
      throw invalidInput([
        {
          Field: defined(duplicates.faults[0]).Field,
          Message: `${defined(duplicates.faults[0]).Field.endsWith('Mobile') ? '该手机号' : '该证件号'}属于「${shortName(duplicates.existing.name)}」，与填写的姓名「${shortName(person.name)}」不同，请核对`,
        },
      ])
    return duplicates.existing
  }
  if (duplicates.faults.length) throw invalidInput(duplicates.faults)
  const { id: _id, version: _version, ...rest } = person
  const created = await insert(tx, resident, scope, {
    ...rest,
    gender: rest.gender ?? 'unknown',
    wechatBind: false,
    appBind: false,
    source: 'backOffice',
  })
  await saveResidentSearchText(tx, scope.ownerId, created)
  return created
}

type PersonDraft = Partial<Omit<ResidentDraft, 'homeProject'>> & { readonly userId?: Id | undefined }

/** Several people of one form: residents by id, new ones by their facts. Faults name the person's row. */
export async function findOrCreatePeople(
  drafts: readonly (PersonDraft & Partial<Pick<IncomingPerson, 'relation' | 'isMain' | 'isPayer'>>)[],
  homeProject: string,
  context: Omit<ResidentSaveContext, 'fieldPrefix'>,
): Promise<Resident[]> {
  const people: Resident[] = []
  for (const [i, draft] of drafts.entries()) {
    const { userId, relation: _relation, isMain: _isMain, isPayer: _isPayer, ...facts } = draft
    const fieldPrefix = `Users[${i}].`
    if (userId) {
      people.push(await requireResident(context.tx, context.scope, userId))
      continue
    }
    if (!facts.name) throw invalidInput([{ Field: `${fieldPrefix}Username`, Message: '姓名不能为空' }])
    people.push(
      await findOrCreateResident(
        { userType: 'person', state: 'normal', ...facts, name: facts.name, homeProject },
        { ...context, fieldPrefix },
      ),
    )
  }
  return people
}

/** In the transaction that changes a person's mobile: bindings to the old one end (BASE-14). */
export const [onMobileChanged, publishMobileChanged] =
  defineEvent<[tx: Tx, scope: Scope, person: Resident, before: string | undefined]>()

// The binding of the app to the old number ends.
onMobileChanged(async (tx, scope, person) => {
  if (person.appBind) {
    await tx.execute(
      sql`update resident set app_bind = false where owner_id = ${scope.ownerId} and id = ${person.id}`,
    )
  }
})

/** After a change of the record: its search text, the names that rooms show, bindings to the old mobile. */
export async function applyResidentChanges(
  tx: Tx,
  scope: Scope,
  before: Resident,
  after: Resident,
  today: Day,
): Promise<void> {
  if (before.name !== after.name || before.mobile !== after.mobile || before.phone2 !== after.phone2) {
    await saveResidentSearchText(tx, scope.ownerId, after)
  }
  if (before.name !== after.name) {
    const rooms = await tx.rows<{ roomId: Id }>(
      sql`
        select distinct room_id
        from user_room
        where owner_id = ${scope.ownerId}
          and user_id = ${after.id}
          and ${notDeleted()}
          and status = ${code(residencyStatus, 'living')}
      `,
    )
    await syncRoomOccupancy(
      tx,
      scope,
      rooms.map(r => r.roomId),
      { today },
    )
  }
  if (before.mobile !== after.mobile) {
    await publishMobileChanged(tx, scope, after, before.mobile)
  }
}

export async function updateResident(
  draft: NonNullable<typeof editResident.input.T>,
  context: ResidentSaveContext,
): Promise<Resident> {
  const { id, version, ...rest } = draft
  const { tx, scope, app, today } = context
  if (!id) return refuse('缺少要修改的住户')
  const before = await requireResident(tx, scope, id, { lock: true })
  const person = completeFromCert(restoreMasked(resident.fields, rest, before, scope))
  const faults = [
    ...personFaults(person, today),
    ...(person.photo === before.photo
      ? []
      : await checkPicture(app.files, scope.ownerId, person.photo, 'PhotoUrl', '照片')),
  ]
  if (faults.length) throw invalidInput(faults)
  if (
    person.mobile !== before.mobile &&
    before.mobile !== undefined &&
    !hasPermission(scope, menu.resident.permissions.mobile)
  )
    throw invalidInput([
      { Field: 'Mobile', Message: `变更手机号需要「${menu.resident.permissions.mobile.label}」权限` },
    ])
  const duplicates = await findDuplicateFaults(tx, scope, { ...person, id }, '')
  if (person.state === 'normal' && duplicates.faults.length)
    throw invalidInput(
      duplicates.faults.map(f => ({
        ...f,
        Message: f.Message.replace(/，是同一个人.*/, '，是同一个人请用「合并住户」'),
      })),
    )
  const after = await update(
    tx,
    resident,
    scope,
    id,
    { ...withAllFields(editResident.input, person), homeProject: before.homeProject },
    { version },
  )
  await applyResidentChanges(tx, scope, before, after, today)
  return after
}
