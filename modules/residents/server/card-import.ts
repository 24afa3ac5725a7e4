import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { maskedPattern } from '#kit/contract/rules.ts'
import { importer, type ImportFile, type LineFault } from '#kit/server/crud-import.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { getEntity } from '#kit/server/registry.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import {
  openSheetPlaces,
  sheetPlaceFaults,
  sheetPlaceOptions,
  type SheetPlaces,
} from '#modules/rooms/server/public.ts'
import { importCards, type CardSheetRow } from '../contract/card-import.ts'
import { cardNumberOf, identityCard, type IdentityCard } from '../contract/card.ts'
import { cardState } from '../contract/labels.ts'
import {
  findCardResident,
  isOfStaff,
  loadCardHolders,
  type CardHolders,
  type CardRow,
} from './card-import-people.ts'
import { absenceText, isOwnRoom } from './holder-place.ts'
import { renewedState } from './identity-card.ts'
import { findCodesAmong } from './reader-numbers.ts'
import type { ResidentImportRequest } from './import-read.ts'
import { endsInPast } from './validity.ts'

interface CardReferences {
  readonly places: SheetPlaces
  /** Groups of doors by their names, which are unique in a project. */
  readonly groupIds: ReadonlyMap<string, string>
}

interface CardFacts {
  readonly holders: CardHolders
  /** Numbers in use in other projects: a number is one card's in the whole company. */
  readonly usedElsewhere: ReadonlySet<string>
  /** Numbers that are codes of residents, staff or visitors. */
  readonly codes: ReadonlySet<string>
}

interface CardFile {
  readonly data: CardReferences & CardFacts
}

async function findGroupIds(db: Db, scope: Scope, projectCode: string): Promise<ReadonlyMap<string, string>> {
  const group = getEntity('doorwayGroup')
  const rows: readonly Readonly<Record<string, unknown>>[] = await findAll(db, group, scope, { projectCode })
  return new Map(rows.map(row => [String(row[group.title]), String(row.id)]))
}

async function findNumbersElsewhere(
  db: Db,
  ownerId: Id,
  projectCode: string,
  rows: readonly CardRow[],
): Promise<ReadonlySet<string>> {
  const found = await db.rows<{ cardNo: string }>(sql`
    select card_no
    from identity_card
    where owner_id = ${ownerId}
      and card_no = any(${rows.flatMap(row => row.cardNo ?? [])}::text[])
      and project_code <> ${projectCode}
      and state <> ${code(cardState, 'ended')}
      and ${notDeleted()}
  `)
  return new Set(found.map(({ cardNo }) => cardNo))
}

type Holder = Pick<IdentityCard, 'userId' | 'staffId'>

const staffOf = (row: CardRow, { holders }: CardFile['data']) =>
  row.holderMobile ? holders.staffByMobile.get(row.holderMobile) : undefined

const residentOf = (row: CardRow, { holders, places }: CardFile['data']) =>
  findCardResident(row, holders.residents, places)

const holderOf = (row: CardRow, data: CardFile['data']): Holder =>
  isOfStaff(row) ? { staffId: staffOf(row, data)?.id } : { userId: residentOf(row, data)?.id }

const nameFault = (known: string): LineFault => ({
  column: 'holderMobile',
  message: `该手机号登记为「${known}」`,
  remedy: '核对姓名或手机号',
})

function staffFaults(row: CardRow, data: CardFile['data']): LineFault[] {
  const person = staffOf(row, data)
  const faults: LineFault[] = []
  if (!person) {
    const message = row.holderMobile ? '没有该手机号的在职员工' : '员工的卡要填写手机号'
    faults.push({ column: 'holderMobile', message, remedy: '填写员工档案中的手机号' })
  } else if (person.name !== row.holderName) {
    faults.push(nameFault(person.name))
  }
  if (row.roomNo !== undefined) {
    faults.push({ column: 'roomNo', message: '员工的卡不属于房间', remedy: '清空楼栋、单元和房号' })
  }
  return faults
}

function unknownResidentFault(row: CardRow, places: SheetPlaces): LineFault {
  if (row.holderMobile)
    return { column: 'holderMobile', message: '该手机号尚未登记住户', remedy: '核对手机号，或先登记住户' }
  return places.roomOf(row)
    ? {
        column: 'holderName',
        message: `该房间没有住户「${row.holderName ?? ''}」`,
        remedy: '核对姓名，或填写手机号',
      }
    : { column: 'holderMobile', message: '不能识别持有人', remedy: '填写手机号，或填写楼栋、单元和房号' }
}

function residentFaults(row: CardRow, data: CardFile['data']): LineFault[] {
  const { residents, blockReasons } = data.holders
  const person = residentOf(row, data)
  if (!person) return [unknownResidentFault(row, data.places)]
  if (row.holderMobile && !residents.visibleIds.has(person.id))
    return [
      {
        column: 'holderMobile',
        message: '该住户登记在其他项目，你不能查看',
        remedy: '请有权限的人员导入',
      },
    ]
  if (person.name !== row.holderName) return [nameFault(person.name)]
  const reason = blockReasons.get(person.id)
  return reason === undefined
    ? []
    : [
        {
          column: 'holderName',
          message: `在黑名单中（${reason}），不能发放门禁`,
          remedy: '先移出黑名单，或删除此行',
        },
      ]
}

function holderFaults(row: CardRow, data: CardFile['data']): LineFault[] {
  if (maskedPattern.test(row.holderMobile ?? ''))
    return [{ column: 'holderMobile', message: '手机号含有星号', remedy: '填写完整的手机号' }]
  if (row.holderName === undefined) return []
  return isOfStaff(row) ? staffFaults(row, data) : residentFaults(row, data)
}

/** A card stays with its holder: another gets a card of its own. */
function existingFaults(row: CardRow, existing: IdentityCard, data: CardFile['data']): LineFault[] {
  const { userId, staffId } = holderOf(row, data)
  const isSame = userId === existing.userId && staffId === existing.staffId
  return isSame
    ? []
    : [
        {
          column: 'cardNo',
          message: '该卡号已由其他人持有',
          remedy: '核对卡号；换持有人请先注销旧卡',
        },
      ]
}

function numberFaults(
  { cardNo = '' }: CardRow,
  existing: IdentityCard | undefined,
  { usedElsewhere, codes }: CardFacts,
): LineFault[] {
  if (usedElsewhere.has(cardNo))
    return [{ column: 'cardNo', message: '该卡号已在其他项目使用', remedy: '核对卡号，或先注销旧卡' }]
  return !existing && codes.has(cardNo)
    ? [{ column: 'cardNo', message: '该卡号与使用中的通行码或邀请码相同', remedy: '更换卡片' }]
    : []
}

const dateFaults = (row: CardRow, existing: IdentityCard | undefined, today: Day): LineFault[] => {
  const { beginDate, endDate } = { ...existing, ...row }
  if (beginDate && endDate && endDate < beginDate)
    return [{ column: 'endDate', message: '失效日期早于生效日期', remedy: '核对起止日期' }]
  return endsInPast({ endDate }, today, existing)
    ? [{ column: 'endDate', message: '失效日期已过', remedy: '填写今天或以后的日期，不填为长期' }]
    : []
}

const groupFaults = ({ groupNames = [] }: CardRow, { groupIds }: CardReferences): LineFault[] => {
  const unknown = groupNames.filter(name => !groupIds.has(name))
  return unknown.length
    ? [
        {
          column: 'groupNames',
          message: `没有门组「${unknown.join('、')}」`,
          remedy: '核对名称，或先在门禁设置中新增门组',
        },
      ]
    : []
}

/** Who has left everything gets no card, and nobody one for a room of others (BASE-11). */
function placeFaults(row: CardRow, existing: IdentityCard | undefined, data: CardFile['data']): LineFault[] {
  const person = isOfStaff(row) ? undefined : residentOf(row, data)
  const place = person && data.holders.holderPlaces.get(person.id)
  if (!place) return []
  const room = data.places.roomOf(row)
  if (existing && existing.roomId === room?.id) return []
  const absence = absenceText(place)
  if (absence !== undefined)
    return [{ column: 'holderName', message: absence, remedy: '核对持有人，或先登记入住' }]
  return room && !isOwnRoom(place, room.id)
    ? [{ column: 'roomNo', message: '持有人未登记在此房间', remedy: '核对房间，或先登记住户入住' }]
    : []
}

const loadReferences = async (
  db: Db,
  { scope, extraInput: { projectCode } }: ResidentImportRequest,
  lock: boolean,
): Promise<CardReferences> => ({
  places: await openSheetPlaces(db, scope, projectCode, lock),
  groupIds: await findGroupIds(db, scope, projectCode),
})

/** Who the lines are for, and which numbers other projects use. */
async function loadFacts(
  db: Db,
  { request, lines, data: { places } }: ImportFile<CardSheetRow, IdentityCard, CardReferences>,
): Promise<CardFacts> {
  const rows = lines.map(({ row }) => row)
  const projectCode: string = request.extraInput.projectCode
  const { ownerId, time } = request.scope
  await places.loadRooms(rows)
  return {
    holders: await loadCardHolders(db, request, rows, places),
    usedElsewhere: await findNumbersElsewhere(db, ownerId, projectCode, rows),
    codes: await findCodesAmong(db, { ownerId, time, numbers: rows.flatMap(row => row.cardNo ?? []) }),
  }
}

/** Cards by their numbers; a number whose card is ended is issued again. */
export const cardImporter = importer(identityCard, {
  calls: importCards,
  normalizeRow: row => (row.cardNo === undefined ? row : { ...row, cardNo: cardNumberOf(row.cardNo) }),
  match: ['cardNo'],
  matchWhere: { cardNo: sql`t.state <> ${code(cardState, 'ended')}` },
  lockExisting: true,
  templateOptions: sheetPlaceOptions,
  load: loadReferences,
  references: { buildCode: (name, { places }) => places.buildingsNamed(name) },
  prepare: loadFacts,
  rules: (row, existing, { data, request }) => {
    const faults = [
      ...numberFaults(row, existing, data),
      ...holderFaults(row, data),
      ...sheetPlaceFaults(data.places, row, '房间', '补全，或都不填'),
      ...groupFaults(row, data),
      ...dateFaults(row, existing, request.today),
      ...placeFaults(row, existing, data),
    ]
    return existing && !faults.length ? existingFaults(row, existing, data) : faults
  },
  values: ({ groupNames, ...row }, { data, request }, existing) => {
    const room = data.places.roomOf(row)
    return {
      cardNo: row.cardNo,
      cardType: row.cardType,
      ...holderOf(row, data),
      roomId: room?.id,
      buildCode: room?.buildCode,
      doorwayGroupIds: groupNames?.flatMap(name => data.groupIds.get(name) ?? []),
      beginDate: row.beginDate,
      endDate: row.endDate,
      deposit: row.deposit,
      remark: row.remark,
      ...(existing
        ? { state: renewedState(existing, { endDate: row.endDate ?? existing.endDate }, request.today) }
        : { issueBy: request.scope.operatorId }),
    }
  },
  texts: { duplicate: '未导入：该卡号刚刚被使用' },
})
