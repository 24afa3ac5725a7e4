import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import type { SheetLine } from '#kit/contract/sheet-reader.ts'
import type { Day } from '#kit/domain/day.ts'
import type { LineFault } from '#kit/server/crud-import.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import {
  effectiveDateFault,
  type BackDating,
  type SheetPlaces,
  type SheetRoom,
} from '#modules/rooms/server/public.ts'
import { maskedPattern } from '#kit/contract/rules.ts'
import { normalizeCertNo, completeFromCert, personFaults } from '../domain/person.ts'
import { residencyFaults } from '../domain/residency.ts'
import {
  nameInRoomKey,
  personKey,
  type ExistingResident,
  type ImportPeople,
  type ImportRow,
  type ResidentImportRequest,
} from './import-read.ts'

/** What the lines of one file say of the same person or room: the first line counts. */
interface LineIndex {
  readonly lineOf: WeakMap<ImportRow, number>
  /** By `personKey`. */
  readonly firstByPerson: ReadonlyMap<string, { readonly name: string; readonly line: number }>
  /** People without a number, by `nameInRoomKey`. */
  readonly firstByName: ReadonlyMap<string, number>
  /** By room. */
  readonly firstMain: ReadonlyMap<Id, number>
  readonly firstPayer: ReadonlyMap<Id, number>
}

export interface ImportRooms {
  readonly rooms: SheetPlaces
}

/** What the lines of one file speak of. */
export interface ImportLines {
  readonly people: ImportPeople
  readonly lines: LineIndex
  readonly backDating: BackDating
  /** Why nobody may move into rooms that are not delivered, by their ids (C13). */
  readonly moveInFaults: ReadonlyMap<Id, string>
}

export interface ImportFile {
  readonly request: ResidentImportRequest
  readonly data: ImportRooms & ImportLines
}

function setIfAbsent<K, V>(map: Map<K, V>, key: K, value: V): void {
  if (!map.has(key)) {
    map.set(key, value)
  }
}

export function indexLines(lines: readonly SheetLine<ImportRow>[], rooms: SheetPlaces): LineIndex {
  const lineOf = new WeakMap<ImportRow, number>()
  const firstByPerson = new Map<string, { name: string; line: number }>()
  const firstByName = new Map<string, number>()
  const firstMain = new Map<Id, number>()
  const firstPayer = new Map<Id, number>()
  for (const { line, row } of lines) {
    lineOf.set(row, line)
    const key = personKey(row)
    const room = rooms.roomOf(row)
    if (key) {
      setIfAbsent(firstByPerson, key, { name: row.name ?? '', line })
    } else if (room) {
      setIfAbsent(firstByName, nameInRoomKey(row.name ?? '', room.id), line)
    }
    if (room && row.isMain) {
      setIfAbsent(firstMain, room.id, line)
    }
    if (room && row.isPayer) {
      setIfAbsent(firstPayer, room.id, line)
    }
  }
  return { lineOf, firstByPerson, firstByName, firstMain, firstPayer }
}

const columnByWireName: Readonly<Record<string, string>> = {
  Mobile: 'mobile',
  CertNo: 'certNo',
  Birthday: 'birthday',
  Phone2: 'phone2',
  EmergencyPhone: 'emergencyPhone',
  InDate: 'inDate',
  LeaseBegin: 'leaseBegin',
  LeaseEnd: 'leaseEnd',
  IsMain: 'isMain',
}

const factFaults = (row: ImportRow, today: Day): LineFault[] =>
  personFaults(completeFromCert(row), today).map(fault => ({
    column: columnByWireName[fault.Field] ?? 'name',
    message: fault.Message,
    remedy: '改成正确的值，或不填',
  }))

/** One number is one person: in the file, and among those who are registered (BASE-13). */
function identityFaults(
  row: ImportRow,
  existing: ExistingResident | undefined,
  { data: { people, lines } }: ImportFile,
): LineFault[] {
  const faults: LineFault[] = []
  const numberColumn = row.mobile ? 'mobile' : 'certNo'
  const key = personKey(row)
  const first = key ? lines.firstByPerson.get(key) : undefined
  if (first && first.name !== row.name) {
    faults.push({
      column: numberColumn,
      message: `与第 ${first.line} 行的「${first.name}」相同，姓名却不同`,
      remedy: '一个号码只能是一个人，核对姓名或号码',
    })
  }
  if (!existing) return faults
  const { person } = existing
  const isVisible = people.visibleIds.has(person.id)
  if (person.name !== row.name) {
    faults.push({
      column: row.mobile && person.mobile === row.mobile ? 'mobile' : 'certNo',
      message: isVisible ? `已登记为「${person.name}」` : '已登记在其他项目，姓名不同',
      remedy: '核对姓名或号码',
    })
  } else if (key && !isVisible) {
    faults.push({
      column: numberColumn,
      message: '该住户登记在其他项目，你不能查看',
      remedy: '请有权限的人员导入',
    })
  }
  if (row.certNo && person.certNo && person.certNo !== normalizeCertNo(row.certNo)) {
    faults.push({
      column: 'certNo',
      message: '与系统中该住户的证件号不同',
      remedy: '核对证件号，或在住户资料中修改',
    })
  }
  return faults
}

function roomFaults(row: ImportRow, room: SheetRoom | undefined): LineFault[] {
  const filled = [row.buildCode, row.unitName, row.roomNo].filter(x => x !== undefined).length
  if (filled > 0 && filled < 3)
    return [
      {
        column: row.roomNo ? (row.buildCode ? 'unitName' : 'buildCode') : 'roomNo',
        message: '楼栋、单元、房号要一起填写',
        remedy: '补全，或都不填只登记人',
      },
    ]
  if (filled === 3 && !room)
    return [
      {
        column: 'roomNo',
        message: `没有房间「${row.unitName}单元 ${row.roomNo}」`.replace('单元单元', '单元'),
        remedy: '核对楼栋、单元和房号，或先导入房间',
      },
    ]
  return room?.state === codeOf(enabledState, 'off')
    ? [{ column: 'roomNo', message: `房间「${room.path}」已停用`, remedy: '先启用该房间' }]
    : []
}

function residencyRowFaults(row: ImportRow, room: SheetRoom | undefined, today: Day): LineFault[] {
  const relationFaults =
    room && !row.relation
      ? [
          {
            column: 'relation',
            message: '关系不能为空',
            remedy: '填 业主、家属、租户、租户家属、员工、其他 之一',
          },
        ]
      : []
  return [
    ...relationFaults,
    ...residencyFaults(row, today).map(fault => ({
      column: columnByWireName[fault.Field] ?? 'relation',
      message: fault.Message,
      remedy: '核对后修改',
    })),
  ]
}

/** Of people without a number the name must be clear inside the room. */
function sameNameFaults(row: ImportRow, room: SheetRoom, { data: { lines } }: ImportFile): LineFault[] {
  const line = lines.lineOf.get(row)
  const first = lines.firstByName.get(nameInRoomKey(row.name ?? '', room.id))
  return personKey(row) || line === undefined || first === line
    ? []
    : [
        {
          column: 'name',
          message: `与第 ${first} 行是同一个房间的同名住户`,
          remedy: '填写手机号或证件号以区分，或删除重复的行',
        },
      ]
}

/** BASE-9: a room has one main owner and one payer. */
function roleFaults(
  row: ImportRow,
  room: SheetRoom,
  existing: ExistingResident | undefined,
  { data: { lines, people } }: ImportFile,
): LineFault[] {
  const faults: LineFault[] = []
  const line = lines.lineOf.get(row)
  const addRepeat = (column: string, label: string, first: number | undefined): void => {
    if (first !== line) {
      faults.push({
        column,
        message: `第 ${first} 行已是该房间的${label}`,
        remedy: `一个房间只有一位${label}`,
      })
    }
  }
  if (row.isMain) {
    addRepeat('isMain', '主业主', lines.firstMain.get(room.id))
    const mainOwner = people.mainOwnerByRoom.get(room.id)
    if (mainOwner !== undefined && mainOwner !== existing?.person.id) {
      faults.push({ column: 'isMain', message: '该房间已有主业主', remedy: '改为否；换业主请用「过户」' })
    }
  }
  if (row.isPayer) {
    addRepeat('isPayer', '缴费人', lines.firstPayer.get(room.id))
  }
  return faults
}

/** Another payer may not begin before what is closed (C27-7). */
function payerDateFaults(
  row: ImportRow,
  room: SheetRoom,
  existing: ExistingResident | undefined,
  { data: { people, backDating } }: ImportFile,
): LineFault[] {
  const payer = people.payerByRoom.get(room.id)
  const isReplacing = payer !== undefined && payer !== existing?.person.id
  if (!row.isPayer || !row.inDate || !isReplacing || existing?.residency) return []
  const fault = effectiveDateFault(row.inDate, backDating)
  return fault
    ? [{ column: 'inDate', message: `更换缴费人：${fault}`, remedy: '改入住日期，或不设为缴费人' }]
    : []
}

const moveInRowFaults = (row: ImportRow, room: SheetRoom, file: ImportFile): LineFault[] => {
  const fault = row.inDate ? file.data.moveInFaults.get(room.id) : undefined
  return fault
    ? [{ column: 'inDate', message: fault, remedy: '去掉入住日期，只登记住户；或先办理「强制交付」' }]
    : []
}

export function checkImportRow(
  row: ImportRow,
  existing: ExistingResident | undefined,
  file: ImportFile,
): LineFault[] {
  const facts = factFaults(row, file.request.today)
  // A masked number does not tell who is meant.
  if (maskedPattern.test(row.mobile ?? '') || maskedPattern.test(row.certNo ?? '')) return facts
  const room = file.data.rooms.roomOf(row)
  return [
    ...facts,
    ...identityFaults(row, existing, file),
    ...roomFaults(row, room),
    ...residencyRowFaults(row, room, file.request.today),
    ...(room
      ? [
          ...sameNameFaults(row, room, file),
          ...roleFaults(row, room, existing, file),
          ...payerDateFaults(row, room, existing, file),
          ...moveInRowFaults(row, room, file),
        ]
      : []),
  ]
}
