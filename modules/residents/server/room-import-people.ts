import { keysOf, labelOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import { hasPermission } from '#kit/server/scope.ts'
import type { LineResult, ReadyLine } from '#kit/server/sheet-import.ts'
import {
  registerPeopleImporter,
  type ImportedPerson,
  type PeopleImport,
  type PersonFault,
} from '#modules/rooms/server/public.ts'
import type { ResidentSheetRow } from '../contract/import-export.ts'
import { nameRule } from '../contract/labels.ts'
import { relation, type Relation } from '../contract/relation.ts'
import { menu } from '../module.ts'
import {
  residencyKey,
  loadImportPeople,
  type ExistingResident,
  type ImportPeople,
  type ImportRow,
} from './import-read.ts'
import { writeImportRows } from './import-write.ts'

type PlacedLines = Parameters<PeopleImport['apply']>[1]

const relationLabels = keysOf(relation).map(key => labelOf(relation, key))

const relationByLabel = (label: string | undefined): Relation | undefined =>
  label === undefined ? 'owner' : keysOf(relation).find(key => labelOf(relation, key) === label)

/** What is wrong with a person's own cells. */
function cellFault({ mobile, name, relation: label, roomId }: ImportedPerson): PersonFault | undefined {
  // In a room that is there only the number tells whether the person is there too.
  if (!mobile && roomId !== undefined)
    return { column: 'userMobile', message: '追加住户要填写手机号', remedy: '填写手机号，或清空住户各列' }
  if (!relationByLabel(label))
    return {
      column: 'userRelation',
      message: `住户关系「${label}」不存在`,
      remedy: `填 ${relationLabels.join('、')} 之一，或不填`,
    }
  const fault = name && nameRule.test(name)
  return fault ? { column: 'userName', message: fault, remedy: '改成正确的姓名' } : undefined
}

/** One number is one person: among those who are registered, and in the file (BASE-13). */
function identityFault(
  person: ImportedPerson,
  people: ImportPeople,
  firstNamed: ImportedPerson | undefined,
): PersonFault | undefined {
  const known = people.byMobile.get(person.mobile ?? '')
  if (known) {
    if (!people.visibleIds.has(known.id))
      return {
        column: 'userMobile',
        message: '该住户登记在其他项目，你不能查看',
        remedy: '请有权限的人员导入',
      }
    return person.name && known.name !== person.name
      ? { column: 'userMobile', message: `已登记为「${known.name}」`, remedy: '核对姓名或号码' }
      : undefined
  }
  if (firstNamed && person.name && firstNamed.name !== person.name)
    return {
      column: 'userMobile',
      message: `与第 ${firstNamed.line} 行的「${firstNamed.name}」相同，姓名却不同`,
      remedy: '一个号码只能是一个人，核对姓名或号码',
    }
  return person.name || firstNamed
    ? undefined
    : {
        column: 'userName',
        message: person.mobile ? '该手机号尚未登记，请填写住户姓名' : '请填写住户姓名',
        remedy: '填写姓名',
      }
}

/** Per mobile the first line that names its person. */
function indexNamed(persons: readonly ImportedPerson[]): ReadonlyMap<string, ImportedPerson> {
  const firstNamed = new Map<string, ImportedPerson>()
  for (const person of persons) {
    if (person.mobile && person.name && !firstNamed.has(person.mobile)) {
      firstNamed.set(person.mobile, person)
    }
  }
  return firstNamed
}

type PersonLine = ReadyLine<ResidentSheetRow, ExistingResident>

function toReadyLine(
  { line, room }: PlacedLines[number],
  person: ImportedPerson,
  people: ImportPeople,
  firstNamed: ReadonlyMap<string, ImportedPerson>,
): PersonLine {
  const { mobile } = person
  const known = mobile ? people.byMobile.get(mobile) : undefined
  return {
    line,
    existing: known && { person: known, residency: people.residencies.get(residencyKey(known.id, room.id)) },
    row: {
      name: known?.name ?? person.name ?? defined(firstNamed.get(mobile ?? '')?.name),
      ...(mobile ? { mobile } : {}),
      relation: relationByLabel(person.relation),
      inDate: person.inDate,
      buildCode: room.buildCode,
      unitName: room.unitName,
      roomNo: room.roomNo,
    },
  }
}

const describeResult = (name: string, result: LineResult): LineResult =>
  result.outcome === 'added'
    ? { outcome: 'added', message: `已登记住户「${name}」` }
    : result.outcome === 'failed'
      ? { outcome: 'failed', message: `住户未追加：${result.message}` }
      : { outcome: 'skipped', message: `「${name}」已是该房间的住户` }

// Lines of the room sheet bring their resident: a known number is the known person, a new one needs its name
// (BASE-13); without a number a new room gets a person of that name.
registerPeopleImporter({
  relations: relationLabels,
  open: async (db, request, persons) => {
    const { scope } = request
    const roomIds = [...new Set(persons.flatMap(person => person.roomId ?? []))]
    const rows = persons.map(({ mobile }): ImportRow => ({ mobile }))
    const people = await loadImportPeople(db, request, rows, roomIds)
    const personByLine = new Map(persons.map(person => [person.line, person]))
    const firstNamed = indexNamed(persons)
    const canAppend =
      hasPermission(scope, menu.link.permissions.add) && hasPermission(scope, menu.resident.permissions.add)
    return {
      check: person => {
        const fault = canAppend
          ? (cellFault(person) ?? identityFault(person, people, firstNamed.get(person.mobile ?? '')))
          : {
              column: 'userMobile' as const,
              message: '无登记住户的权限',
              remedy: '请有权限的人员导入，或清空住户各列',
            }
        return fault ? [fault] : []
      },
      apply: async (tx, placed) => {
        const ready = placed.map(each =>
          toReadyLine(each, defined(personByLine.get(each.line)), people, firstNamed),
        )
        const roomByLine = new Map(placed.map(each => [each.line, each.room]))
        const roomByRow = new Map<ImportRow, ReturnType<typeof roomByLine.get>>(
          ready.map(({ line, row }) => [row, roomByLine.get(line)]),
        )
        const results = await writeImportRows(tx, request, 'skip', ready, row => roomByRow.get(row))
        return new Map(
          ready.map(({ line, row }) => [line, describeResult(row.name, defined(results.get(line)))]),
        )
      },
    }
  },
})
