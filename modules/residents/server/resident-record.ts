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
import { live, code } from '#kit/server/sql.ts'
import { addResident, editResident, resident, type Resident } from '../contract/resident.ts'
import { completeFromCert, personFaults } from '../domain/person.ts'
import { menu } from '../module.ts'
import { residentDomainFilter, requireResident } from './resident-access.ts'
import { syncRoomOccupancy } from './room-occupancy.ts'
import { findSameResidents } from './resident-list.ts'
import { residencyStatus } from '../contract/labels.ts'

uniqueMessages({
  resident_mobile_live: '该手机号已存在，请关联到已有住户，或换一个手机号',
  resident_cert_live: '该证件号已存在，请关联到已有住户，或核对证件号',
})

type ResidentDraft = Omit<NonNullable<typeof addResident.input.T>, 'rooms' | 'linkExisting'>

/** What a person is found by. */
export const residentSearchText = (p: Pick<Resident, 'name' | 'mobile' | 'phone2'>): string =>
  buildSearchText([p.name], [p.mobile, p.phone2])

export const saveResidentSearchText = (tx: Tx, owner: number, p: Resident): Promise<number> =>
  tx.execute(
    sql`update resident set search_text = ${residentSearchText(p)} where owner_id = ${owner} and id = ${p.id}`,
  )

const shortName = (name: string): string =>
  [...name].length > 10 ? `${[...name].slice(0, 10).join('')}...` : name

/**
 * Why two records would be one person (BASE-13). Of somebody in a project that the caller may not see, only
 * that he is there.
 */
async function findDuplicateFaults(
  tx: Tx,
  scope: Scope,
  p: ResidentDraft,
  at: string,
): Promise<{ faults: FieldFault[]; existing: Resident | undefined }> {
  const same = await findSameResidents(tx, scope, p)
  if (!same.length) return { faults: [], existing: undefined }
  const mine = scope.domain.all
    ? new Set(same.map(r => r.id))
    : new Set(
        (
          await tx.rows<{ id: number }>(
            sql`
              select t.id
              from resident t
              where t.owner_id = ${scope.ownerId}
                and t.id = any(${same.map(r => r.id)})
                and ${sql.join(residentDomainFilter(scope), sql` and `)}
            `,
          )
        ).map(r => r.id),
      )
  const faults = same.map((r): FieldFault => {
    const byMobile = p.mobile !== undefined && r.mobile === p.mobile
    const what = byMobile ? '手机号' : '证件号'
    return {
      Field: `${at}${byMobile ? 'Mobile' : 'CertNo'}`,
      Message: mine.has(r.id)
        ? `该${what}已存在：${shortName(r.name)}，是同一个人请选择「关联到已有住户」`
        : `该${what}已存在（登记在其他项目），请联系有权限的同事关联`,
    }
  })
  const own = same.filter(r => mine.has(r.id))
  return { faults, existing: own.length === same.length && own.length === 1 ? own[0] : undefined }
}

export interface ResidentSaveContext {
  readonly tx: Tx
  readonly scope: Scope
  readonly app: App
  readonly today: Day
  readonly at?: string
  readonly linkExisting?: boolean | undefined
}

/**
 * A new person, or with `linkExisting` the one who is there under the same mobile or document (BASE-13).
 * Refuses with everything that is wrong, at its field.
 */
export async function findOrCreateResident(draft: ResidentDraft, c: ResidentSaveContext): Promise<Resident> {
  const { tx, scope, app, today, at = '' } = c
  const p = completeFromCert(draft)
  const faults = [
    ...personFaults(p, today),
    ...(await checkPicture(app.files, scope.ownerId, p.photo, 'PhotoUrl', '照片')),
  ].map(f => ({ ...f, Field: at + f.Field }))
  if (faults.length) throw invalidInput(faults)
  const same = await findDuplicateFaults(tx, scope, p, at)
  if (same.existing && c.linkExisting) {
    if (same.existing.name !== p.name)
      throw invalidInput([
        {
          Field: defined(same.faults[0]).Field,
          Message: `${defined(same.faults[0]).Field.endsWith('Mobile') ? '该手机号' : '该证件号'}属于「${shortName(same.existing.name)}」，与填写的姓名「${shortName(p.name)}」不同，请核对`,
        },
      ])
    return same.existing
  }
  if (same.faults.length) throw invalidInput(same.faults)
  const { id: _, version: __, ...rest } = p
  const made = await insert(tx, resident, scope, {
    ...rest,
    gender: rest.gender ?? 'unknown',
    wechatBind: false,
    appBind: false,
    source: 'desk',
  })
  await saveResidentSearchText(tx, scope.ownerId, made)
  return made
}

type MobileChangeListener = (
  tx: Tx,
  scope: Scope,
  person: Resident,
  before: string | undefined,
) => Promise<void>
const mobileListeners: MobileChangeListener[] = []

/**
 * Called in the transaction that gives a person another mobile: who knows him by the old one lets him go
 * (BASE-14).
 */
export const onMobileChanged = (then: MobileChangeListener): void => {
  mobileListeners.push(then)
}

// What the company itself knows of a binding to the old number ends with it.
onMobileChanged(async (tx, scope, p) => {
  if (p.appBind) {
    await tx.execute(
      sql`update resident set app_bind = false where owner_id = ${scope.ownerId} and id = ${p.id}`,
    )
  }
})

/**
 * After a change of the record: what it is found by, the names that rooms show, those who know the old
 * mobile.
 */
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
    const rooms = await tx.rows<{ roomId: number }>(
      sql`
        select distinct room_id
        from user_room
        where owner_id = ${scope.ownerId}
          and user_id = ${after.id}
          and ${live()}
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
    for (const l of mobileListeners) {
      await l(tx, scope, after, before.mobile)
    }
  }
}

export async function updateResident(
  draft: NonNullable<typeof editResident.input.T>,
  c: ResidentSaveContext,
): Promise<Resident> {
  const { id, version, ...rest } = draft
  const { tx, scope, app, today } = c
  if (!id) return refuse('缺少要修改的住户')
  const before = await requireResident(tx, scope, id, true)
  const p = completeFromCert(restoreMasked(resident.fields, rest, before, scope))
  const faults = [
    ...personFaults(p, today),
    ...(p.photo === before.photo
      ? []
      : await checkPicture(app.files, scope.ownerId, p.photo, 'PhotoUrl', '照片')),
  ]
  if (faults.length) throw invalidInput(faults)
  if (
    p.mobile !== before.mobile &&
    before.mobile !== undefined &&
    !hasPermission(scope, menu.resident.permissions.mobile)
  )
    throw invalidInput([
      { Field: 'Mobile', Message: `更换手机号需要「${menu.resident.permissions.mobile.label}」权限` },
    ])
  const same = await findDuplicateFaults(tx, scope, { ...p, id }, '')
  if (p.state === 'normal' && same.faults.length)
    throw invalidInput(
      same.faults.map(f => ({
        ...f,
        Message: f.Message.replace(/，是同一个人.*/, '，是同一个人请用「合并住户」'),
      })),
    )
  const after = await update(
    tx,
    resident,
    scope,
    id,
    { ...withAllFields(editResident.input, p), homeProject: before.homeProject },
    { version },
  )
  await applyResidentChanges(tx, scope, before, after, today)
  return after
}
