import type { LineFault } from '#kit/server/crud-import.ts'
import { sheetPlaceFaults, type SheetPlaces } from '#modules/rooms/server/public.ts'
import type { Meter } from '../contract/meter.ts'
import type { MeterReferences, MeterRow } from './meter-import-references.ts'
import { exceedsDigits, stillChargedMessage, validateReadMeter } from './meter-validation.ts'

interface MeterFile extends MeterReferences {
  readonly places: SheetPlaces
}

function checkPlace(
  row: MeterRow,
  existing: Meter | undefined,
  { places, sourceOf }: MeterFile,
): LineFault[] {
  const faults = [...sheetPlaceFaults(places, row, '房间', '补全，或都不填')]
  const isInRoom = row.buildCode !== undefined || row.unitName !== undefined || row.roomNo !== undefined
  if (isInRoom && row.areaCode) {
    faults.push({ column: 'areaCode', message: '房间与公共区域只能填一个', remedy: '删除其中一个' })
  } else if (row.areaCode && !sourceOf(row)) {
    faults.push({
      column: 'areaCode',
      message: `编码「${row.areaCode}」的公共区域不存在`,
      remedy: '核对编码，或先新增公共区域',
    })
  }
  const meterUse = row.meterUse ?? existing?.meterUse ?? 'household'
  if (!isInRoom && !row.areaCode && meterUse === 'household' && !existing?.sourceCode) {
    faults.push({ column: 'roomNo', message: '户表要填写所在的房间', remedy: '填写楼栋、单元、房号' })
  }
  return faults
}

function checkNumbers({ multiple, digits, initNum }: MeterRow): LineFault[] {
  const faults: LineFault[] = []
  if (multiple !== undefined && Number(multiple) === 0) {
    faults.push({ column: 'multiple', message: '倍率应大于零', remedy: '填 1 或互感器倍率' })
  }
  if (digits !== undefined && initNum !== undefined && exceedsDigits(initNum, digits)) {
    faults.push({
      column: 'initNum',
      message: `超过 ${digits} 位表的最大值`,
      remedy: '核对初始读数或位数',
    })
  }
  return faults
}

function checkParent(row: MeterRow, { meterOf }: MeterReferences): LineFault[] {
  if (!row.parentNo) return []
  const parent = meterOf(row.parentNo)
  if (row.parentNo === row.meterNo)
    return [{ column: 'parentNo', message: '不能以自己为上级表', remedy: '改为总表的表号' }]
  if (!parent)
    return [
      {
        column: 'parentNo',
        message: `表号「${row.parentNo}」不存在`,
        remedy: '先导入总表，再导入分表',
      },
    ]
  return row.meterKind && parent.meterKind !== row.meterKind
    ? [{ column: 'parentNo', message: '上级表的类型不同', remedy: '改为同类型的总表' }]
    : []
}

/** What may not change of a meter that is there already. */
function checkExisting(row: MeterRow, existing: Meter, references: MeterReferences): LineFault[] {
  const faults: LineFault[] = []
  if (existing.state === 'replaced') {
    faults.push({ column: 'meterNo', message: '该表已更换，不能修改', remedy: '用新表号' })
  }
  const source = references.sourceOf(row)
  if (source && references.chargedMeters.has(existing.id) && source.sourceCode !== existing.sourceCode) {
    faults.push({
      column: row.areaCode ? 'areaCode' : 'roomNo',
      message: stillChargedMessage(existing),
      remedy: '结束收费关联后再导入，或不填',
    })
  }
  const draft = {
    meterKind: row.meterKind ?? existing.meterKind,
    initNum: row.initNum ?? existing.initNum,
    digits: row.digits,
    installDate: row.installDate,
  }
  for (const { key, message } of validateReadMeter(
    draft,
    existing,
    references.readingSpans.get(existing.id),
  )) {
    faults.push({ column: key, message, remedy: '改回原来的，或不填' })
  }
  return faults
}

export const checkMeterRow = (
  row: MeterRow,
  existing: Meter | undefined,
  references: MeterFile,
): LineFault[] => [
  ...checkPlace(row, existing, references),
  ...checkNumbers(row),
  ...checkParent(row, references),
  ...(existing ? checkExisting(row, existing, references) : []),
]
