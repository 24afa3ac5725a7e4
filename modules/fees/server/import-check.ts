import type { Id } from '#kit/domain/id.ts'
import type { LineFault } from '#kit/server/crud-import.ts'
import { scene, sourceType } from '../contract/choices.ts'
import { isSceneAllowed } from '../domain/scenes.ts'
import { maxDay } from '#kit/domain/day.ts'
import { minDay } from './binding-plan.ts'
import { listChargeableTypes } from './chargeable-objects.ts'
import type { ChargeableStandard } from './chargeable-standards.ts'
import { typeOf, type ExistingRelation, type ImportSession, type RelationRow } from './import-session.ts'

interface DayRange {
  readonly beginDate?: string | undefined
  readonly endDate?: string | undefined
}

const hasOverlap = (a: DayRange, b: DayRange): boolean =>
  (a.beginDate ?? minDay) <= (b.endDate ?? maxDay) && (b.beginDate ?? minDay) <= (a.endDate ?? maxDay)

function checkObject(session: ImportSession, row: RelationRow): LineFault[] {
  const type = typeOf(row)
  const typeLabel = sourceType.rows[type][1]
  const found = session.objectsOf(row)
  const allowed = listChargeableTypes()
  if (!allowed.includes(type)) {
    const labels = allowed.map(t => sourceType.rows[t][1]).join('、')
    return [{ column: 'sourceType', message: `${typeLabel}暂不能绑定收费标准`, remedy: `填 ${labels} 之一` }]
  }
  const objectFault = (message: string, remedy: string): LineFault[] => [
    { column: 'sourceName', message, remedy },
  ]
  if (row.sourceName !== undefined && !found.length)
    return objectFault(`没有${typeLabel}「${row.sourceName}」`, '核对名称或编码，房屋写成 1-1-101')
  if (found.length > 1)
    return objectFault(`名称为「${row.sourceName}」的${typeLabel}有 ${found.length} 个`, '改填编码')
  return found[0] && !found[0].open ? objectFault(`「${row.sourceName}」已停用`, '先启用，或删除这一行') : []
}

function checkStandard(
  { standard, item }: ChargeableStandard,
  row: RelationRow,
  existing: ExistingRelation | undefined,
): LineFault[] {
  const faults: LineFault[] = []
  const add = (column: string, message: string, remedy: string): void => {
    faults.push({ column, message, remedy })
  }
  if (standard.state === 'off' || item.state === 'off') {
    add('standardId', `${standard.state === 'off' ? '标准' : '收费项目'}已停用`, '先启用，或更换标准')
  }
  if (!isSceneAllowed(item.scene, typeOf(row))) {
    add('standardId', `收费项目「${item.name}」的适用场景是${scene.rows[item.scene][1]}`, '更换标准')
  }
  if (standard.startRule === 'fixedDate' && !row.beginDate && !existing) {
    add('beginDate', '该标准从指定日期起收', '填写起收日期')
  }
  if (row.billedTo && row.beginDate && row.billedTo < row.beginDate) {
    add('billedTo', '计费截至早于起收日期', '未计费的不填')
  }
  return faults
}

/** FEE-7: no other relation of the item in those days, neither in the database nor in the file. */
function checkOverlap(
  session: ImportSession,
  itemId: Id,
  row: RelationRow,
  existing: ExistingRelation | undefined,
): LineFault[] {
  const faults: LineFault[] = []
  const objectKey = session.objectKeyOf(row)
  const other = session.existing
    .get(objectKey)
    ?.find(r => r.feeItemId === itemId && r.id !== existing?.id && hasOverlap(r, row))
  if (other) {
    const days = `${other.beginDate ? `${other.beginDate} 起` : ''}${other.endDate ? `至 ${other.endDate} ` : ''}`
    faults.push({
      column: 'sourceName',
      message: `${days}已按「${other.standard}」收费`,
      remedy: '先结束它，或错开起止日期',
    })
  }
  const isSameBinding = (a: RelationRow): boolean =>
    a.standardId === row.standardId && a.beginDate === row.beginDate
  const hasTwin = session.lines.some(
    line =>
      line.row !== row &&
      line.objectKey === objectKey &&
      line.item === itemId &&
      hasOverlap(line.row, row) &&
      !isSameBinding(line.row),
  )
  if (hasTwin) {
    faults.push({
      column: 'sourceName',
      message: '表中另一行在该段时间按同一项目的标准收费',
      remedy: '错开起止日期，或删除一行',
    })
  }
  return faults
}

/** What is wrong with a line, each fault at its column with a way to correct it. */
export function checkRelationRow(
  session: ImportSession,
  row: RelationRow,
  existing: ExistingRelation | undefined,
): LineFault[] {
  const faults = checkObject(session, row)
  if (row.beginDate && row.endDate && row.endDate < row.beginDate) {
    faults.push({ column: 'endDate', message: '止收日期不能早于起收日期', remedy: '核对起止日期' })
  }
  const chargeable = session.standards.get(row.standardId ?? 0)
  if (!chargeable || !listChargeableTypes().includes(typeOf(row))) return faults
  faults.push(...checkStandard(chargeable, row, existing))
  if (!chargeable.item.allowMulti && session.objectsOf(row).length === 1) {
    faults.push(...checkOverlap(session, chargeable.item.id, row, existing))
  }
  return faults
}
