import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { audit } from '#kit/server/audit.ts'
import type { Tx } from '#kit/server/db.ts'
import type { LineResult, ReadyLine } from '#kit/server/sheet-import.ts'
import { startValues } from '#kit/server/crud-write.ts'
import { insertIdentified, reserveIds, updateIdentified } from '#kit/server/identified-rows.ts'
import type { ResidentSheetRow } from '../contract/import-export.ts'
import { resident } from '../contract/resident.ts'
import { completeFromCert } from '../domain/person.ts'
import {
  personKey,
  type ExistingResident,
  type ImportRow,
  type KnownPerson,
  type ResidentImportRequest,
} from './import-read.ts'
import { findResidentsByIds } from './resident-access.ts'
import { publishMobileChanged, residentSearchText } from './resident-record.ts'

export type ImportLine = ReadyLine<ResidentSheetRow, ExistingResident>

export interface LinePerson {
  readonly id: Id
  readonly name: string
}

/** What a line says of the person, without the columns of the residency. */
function personFactsOf({
  buildCode: _buildCode,
  unitName: _unitName,
  roomNo: _roomNo,
  relation: _relation,
  isMain: _isMain,
  isPayer: _isPayer,
  inDate: _inDate,
  leaseBegin: _leaseBegin,
  leaseEnd: _leaseEnd,
  ...facts
}: ResidentSheetRow): ImportRow & { readonly name: string } {
  return completeFromCert(facts)
}

/** The facts of all lines of a person: the first line that fills a cell counts. */
function mergeFacts(lines: readonly ImportLine[]): ImportRow & { readonly name: string } {
  const [first, ...others] = lines.map(line => personFactsOf(line.row))
  return others.reduce((merged, facts) => ({ ...facts, ...merged }), defined(first))
}

/** Adds the people whom nobody knows yet. Returns the person of each line. */
export async function insertPeople(
  tx: Tx,
  { scope, extraInput: { projectCode } }: ResidentImportRequest,
  ready: readonly ImportLine[],
  results: Map<number, LineResult>,
): Promise<ReadonlyMap<number, LinePerson>> {
  const people = new Map<number, LinePerson>()
  for (const { line, existing } of ready) {
    if (existing) {
      people.set(line, existing.person)
      results.set(line, {
        outcome: 'skipped',
        message: existing.residency ? '已有此住户，已跳过' : '已有此住户',
      })
    }
  }
  const newLines = ready.filter(line => !line.existing)
  const groups = [...Map.groupBy(newLines, line => personKey(line.row) ?? `line ${line.line}`).values()]
  const reserved = await reserveIds(tx, resident, groups.length)
  const rows = groups.map((lines, i) => {
    const facts = mergeFacts(lines)
    return {
      id: defined(reserved[i]).id,
      values: { ...startValues(resident), ...facts, homeProject: projectCode, source: 'import' },
      searchText: residentSearchText(facts),
    }
  })
  const inserted = await insertIdentified(tx, resident, scope, rows)
  for (const [i, lines] of groups.entries()) {
    const { id } = defined(rows[i])
    for (const { line, row } of lines) {
      if (inserted.has(id)) {
        people.set(line, { id, name: row.name })
        results.set(line, { outcome: 'added', message: '已导入' })
      } else {
        results.set(line, { outcome: 'failed', message: '手机号或证件号刚刚被他人登记，请重新导入这一行' })
      }
    }
  }
  return people
}

interface Overwritten {
  readonly person: KnownPerson
  readonly mobile?: string | undefined
}

/** BASE-14: what was bound to the old number ends, and the history has both, as where a form changes it. */
async function publishNewMobiles(
  tx: Tx,
  scope: ResidentImportRequest['scope'],
  overwritten: readonly Overwritten[],
): Promise<void> {
  const moved = overwritten.filter(({ person, mobile }) => mobile !== undefined && mobile !== person.mobile)
  const before = new Map(moved.map(({ person }) => [person.id, person.mobile]))
  const replaced = await findResidentsByIds(tx, scope, [...before.keys()])
  await audit(
    tx,
    scope,
    replaced.map(({ id, mobile }) => ({
      action: 'update',
      entity: resident.name,
      entityId: id,
      before: { mobile: before.get(id) },
      after: { mobile },
      reason: '批量导入',
    })),
  )
  for (const after of replaced) {
    await publishMobileChanged(tx, scope, after, before.get(after.id))
  }
}

/** Overwrites people who are registered; an empty cell leaves what is there. */
export async function updatePeople(
  tx: Tx,
  { scope }: ResidentImportRequest,
  ready: readonly ImportLine[],
  results: Map<number, LineResult>,
): Promise<void> {
  const known = ready.flatMap(line => (line.existing ? [{ line, person: line.existing.person }] : []))
  const groups = [...Map.groupBy(known, each => each.person.id).values()]
  const rows = groups.map(group => {
    const { person } = defined(group[0])
    const facts = mergeFacts(group.map(each => each.line))
    return { id: person.id, values: facts, searchText: residentSearchText({ ...person, ...facts }) }
  })
  const changed = await updateIdentified(tx, resident, scope, rows)
  await publishNewMobiles(
    tx,
    scope,
    groups.map((group, i) => ({
      person: defined(group[0]).person,
      mobile: defined(rows[i]).values.mobile,
    })),
  )
  for (const { line, person } of known) {
    results.set(
      line.line,
      changed.has(person.id)
        ? { outcome: 'changed', message: '已覆盖' }
        : { outcome: 'skipped', message: '与系统中的一致，无变化' },
    )
  }
}
