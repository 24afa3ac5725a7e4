import { setImmediate } from 'node:timers/promises'
import type { SheetFault } from '#kit/contract/sheet-reader.ts'
import { refuse } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, type Moment } from '#kit/domain/moment.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { toRows } from '#kit/server/workbook/worksheet.ts'
import {
  downloadNumberFaults,
  downloadNumbersTemplate,
  getNumbers,
  numberFileLimits,
  uploadNumbers,
  type NumberFile,
} from '../contract/number-file.ts'
import {
  numberColumns,
  readNumberHeadings,
  readNumberLine,
  type NumberLine,
  type NumberSheet,
} from '../domain/number-sheet.ts'
import { sheetResponse } from './sheet-response.ts'
import { requireNumberFile, type StoredNumberFile } from './number-file-store.ts'

type Rows = ReturnType<typeof toRows>

interface CheckedLine extends NumberLine {
  readonly isRepeated: boolean
}

/** After so many lines others have their turn. */
const linesAtOnce = 2000

const repeatFault = (line: NumberLine, first: number): SheetFault => ({
  line: line.line,
  column: '手机号',
  value: line.mobile,
  message: `与第 ${first} 行重复`,
  remedy: '只发送先出现的一行',
})

async function checkLines(sheet: NumberSheet, rows: Rows): Promise<CheckedLine[]> {
  const firstLines = new Map<string, number>()
  const checked: CheckedLine[] = []
  for (let i = sheet.headingIndex + 1; i < rows.length; i++) {
    if (i % linesAtOnce === 0) {
      await setImmediate()
    }
    const line = readNumberLine(sheet, defined(rows[i]), i + 1)
    if (!line) continue
    const isSound = !line.faults.length
    const first = isSound ? firstLines.get(line.mobile) : undefined
    if (isSound && first === undefined) {
      firstLines.set(line.mobile, line.line)
    }
    const faults = first === undefined ? line.faults : [repeatFault(line, first)]
    checked.push({ ...line, faults, isRepeated: first !== undefined })
  }
  return checked
}

const isWrong = ({ faults, isRepeated }: CheckedLine): boolean => faults.length > 0 && !isRepeated

const hasGapAlone = ({ faults, gaps }: CheckedLine): boolean => gaps.length > 0 && faults.length === 0

/** A wrong number falls out when receivers are counted; a line that is faulty elsewhere is none at all. */
const storedLine = (line: CheckedLine) => ({
  line: line.line,
  mobile: line.mobile.slice(0, 30),
  name: line.name,
  room: line.room,
  variables: line.variables,
  is_chosen: line.isRepeated || line.faults.every(({ column }) => column === '手机号'),
  faults: line.faults.length + line.gaps.length ? [...line.faults, ...line.gaps] : null,
  has_gap_alone: hasGapAlone(line),
})

async function storeLines({ tx, scope }: WriteContext, fileId: Id, lines: readonly CheckedLine[]) {
  await tx.execute(sql`
    insert into sms_number (owner_id, file_id, line, mobile, name, room, variables, is_chosen, faults, has_gap_alone)
    select ${scope.ownerId}::bigint, ${fileId}::bigint, r.line, r.mobile, r.name, r.room, r.variables,
      r.is_chosen, r.faults, r.has_gap_alone
    from json_to_recordset(${JSON.stringify(lines.map(storedLine))}::json) as r(
      line integer, mobile text, name text, room text, variables jsonb, is_chosen boolean, faults jsonb,
      has_gap_alone boolean
    )
    returning line
  `)
}

async function storeFile(
  c: WriteContext,
  fileName: string,
  sheet: NumberSheet,
  lines: readonly CheckedLine[],
): Promise<Id> {
  const { tx, scope, now } = c
  const row = await tx.one<{ id: Id }>(sql`
    insert into sms_number_file (
      owner_id, file_name, variables, row_count, wrong_count, repeat_count, gap_count,
      create_time, create_by
    )
    values (
      ${scope.ownerId}, ${fileName}, ${[...sheet.variables]}::text[], ${lines.length},
      ${lines.filter(isWrong).length}, ${lines.filter(({ isRepeated }) => isRepeated).length},
      ${lines.filter(hasGapAlone).length},
      ${now}::timestamptz, ${scope.operatorId}
    )
    returning id
  `)
  const { id } = defined(row)
  await storeLines(c, id, lines)
  return id
}

async function readUpload(c: WriteContext): Promise<Id> {
  const upload = c.upload ?? refuse('请选择号码文件')
  const worksheet = await readWorkbook(upload.path, {
    limits: { bytes: numberFileLimits.bytes, lines: numberFileLimits.rows, memory: 512 },
  })
  const rows = toRows(worksheet)
  const sheet = readNumberHeadings(rows)
  const [fault] = sheet.faults
  if (fault) return refuse(`${fault.message}，请${fault.remedy}`)
  const lines = await checkLines(sheet, rows)
  if (!lines.length) return refuse('文件中没有号码，请在“手机号”一列填写后重新上传')
  return storeFile(c, upload.name, sheet, lines)
}

const findFaults = async (
  db: Db,
  { ownerId }: Scope,
  fileId: Id,
  size: number,
): Promise<readonly SheetFault[]> => {
  const rows = await db.rows<{ faults: readonly SheetFault[] }>(sql`
    select n.faults
    from sms_number n
    where n.owner_id = ${ownerId} and n.file_id = ${fileId} and n.faults is not null
    order by n.has_gap_alone, n.line
    limit ${size}
  `)
  return rows.flatMap(({ faults }) => faults)
}

const expiryOf = (file: StoredNumberFile): Moment => addMinutes(file.createTime, numberFileLimits.hours * 60)

async function describeFile(db: Db, scope: Scope, id: Id, now: Moment): Promise<NumberFile> {
  const { createTime: _, ...file } = await requireNumberFile(db, scope, id, now)
  const faults = await findFaults(db, scope, id, numberFileLimits.listed)
  return {
    ...file,
    expireTime: expiryOf({ ...file, createTime: _ }),
    faults: faults.slice(0, numberFileLimits.listed),
  }
}

const templateColumns = [
  ...numberColumns,
  { heading: '金额', format: '@', note: '变量：短信中写 {金额}，可改列名、增加列，最多 10 列' },
]

const faultColumns = ['行', '列', '原值', '问题', '修改建议'].map(heading => ({ heading, format: '@' }))

export const numberFileHandlers = [
  writes(uploadNumbers, async (_, c) => describeFile(c.tx, c.scope, await readUpload(c), c.now)),
  reads(getNumbers, ({ id }, { db, scope, now }) => describeFile(db, scope, id, now)),
  reads(downloadNumbersTemplate, async () => sheetResponse('号码文件模板.xlsx', templateColumns, [], '号码')),
  reads(downloadNumberFaults, async ({ id }, { db, scope, now }) => {
    await requireNumberFile(db, scope, id, now)
    const faults = await findFaults(db, scope, id, numberFileLimits.rows)
    const rows = faults.map(({ line, column, value, message, remedy }) => [
      line,
      column,
      value,
      message,
      remedy,
    ])
    return sheetResponse('号码文件错误行.xlsx', faultColumns, rows, '错误行')
  }),
]
