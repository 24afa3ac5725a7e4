import { text, type ValueOf } from '#kit/contract/field.ts'
import {
  cellToText,
  isOwnHeading,
  matchHeadings,
  readLine,
  type Cell,
  type MatchedHeadings,
  type SheetFault,
} from '#kit/contract/sheet-reader.ts'
import { sheetColumns, type SheetColumn, type SheetSchema } from '#kit/contract/sheet.ts'
import { toHalfWidth } from '#kit/contract/text.ts'
import { isMobile, plainNumber } from './numbers.ts'
import { builtInVariables } from './template.ts'

const fixedFields = {
  mobile: text('手机号', { required: true, max: 30, synonyms: ['号码', '电话', '手机', '联系电话'] }),
  name: text('姓名', { max: 60, synonyms: ['接收人', '客户姓名'] }),
  room: text('房屋', { max: 100, synonyms: ['房间', '房号'] }),
}

type FixedRow = ValueOf<typeof fixedFields>

export const maxVariables = 10
const maxVariableName = 20
const maxValue = 100

/** The columns that every file of numbers may have; the others are variables of the text. */
export const numberColumns: readonly SheetColumn[] = sheetColumns(fixedFields)

export interface NumberSheet extends MatchedHeadings {
  /** The names of the variables, which are the keys of their columns. */
  readonly variables: readonly string[]
}

export interface NumberLine {
  readonly line: number
  readonly mobile: string
  readonly name: string | undefined
  readonly room: string | undefined
  readonly variables: Readonly<Record<string, string>>
  readonly isWrongNumber: boolean
  readonly faults: readonly SheetFault[]
  /** Where variables have no value: sent unless the text uses one of them. */
  readonly gaps: readonly SheetFault[]
}

/** What is left of a value in a message: no link, no control character, no brace; as the database cuts it. */
const valueInMessage = (value: string): string =>
  value
    .replaceAll(/\p{Cc}|https?:\S*|\/\/\S*|www[.]\S*/giu, '')
    .replaceAll(/[{}]/g, '')
    .trim()

const gapFault = (line: number, name: string, value: string): SheetFault => ({
  line,
  column: name,
  value,
  message: value ? '去掉链接后没有内容' : '没有内容',
  remedy: `填写后重新上传；短信用到 {${name}} 时此行不发送`,
})

const variableName = (heading: string): string => toHalfWidth(heading).replaceAll(/[\s*]/g, '')

const variableColumn = (name: string): SheetColumn => ({
  key: name,
  heading: name,
  field: text(name, { max: maxValue }),
  required: false,
  format: '@',
  width: 16,
  options: undefined,
})

const headingFault = (line: number, column: string, message: string, remedy: string): SheetFault => ({
  line,
  column,
  value: '',
  message,
  remedy,
})

function variableFaults(line: number, names: readonly string[]): SheetFault[] {
  const wrong = names.filter(name => name.length > maxVariableName || /[{}]/.test(name))
  const builtIn = names.filter(name => builtInVariables.includes(name))
  const faults = [
    ...wrong.map(name =>
      headingFault(line, name, '列名不能用作变量', `改成不超过 ${maxVariableName} 个字、不含大括号的列名`),
    ),
    ...builtIn.map(name =>
      headingFault(
        line,
        name,
        `列名「${name}」与系统变量 {${name}} 相同`,
        '改用其他列名；姓名、房屋两列的列名为「姓名」「房屋」',
      ),
    ),
  ]
  return names.length > maxVariables
    ? [
        ...faults,
        headingFault(
          line,
          '',
          `变量有 ${names.length} 列，最多 ${maxVariables} 列`,
          '删除短信中用不到的列后重新上传',
        ),
      ]
    : faults
}

/** The headings of a file: its number, its name, and every other column as a variable. */
export function readNumberHeadings(rows: readonly (readonly Cell[])[]): NumberSheet {
  const fixed: SheetSchema<FixedRow> = { label: '号码', columns: numberColumns, unique: [] }
  const found = matchHeadings(fixed, rows)
  const taken = new Set(found.columns.map(column => column.index))
  const headings = (rows[found.headingIndex] ?? []).map(cellToText)
  const names = headings.flatMap((heading, i) =>
    taken.has(i) || isOwnHeading(heading) ? [] : [variableName(heading)],
  )
  if (found.faults.length) return { ...found, variables: [] }
  const whole = { ...fixed, columns: [...numberColumns, ...[...new Set(names)].map(variableColumn)] }
  const matched = matchHeadings(whole, rows)
  return {
    ...matched,
    faults: [...matched.faults, ...variableFaults(matched.headingIndex + 1, names)],
    variables: names,
  }
}

const numberFault = (line: number, value: string): SheetFault => ({
  line,
  column: '手机号',
  value,
  message: '不是手机号',
  remedy: '填 11 位手机号；此行不发送',
})

/** One line of the file; nothing where it is empty. */
export function readNumberLine(
  sheet: NumberSheet,
  cells: readonly Cell[],
  line: number,
): NumberLine | undefined {
  const read = readLine<FixedRow & Record<string, string>>(sheet, cells, line)
  if (!read) return undefined
  const { row, faults, texts } = read
  const mobile = plainNumber((texts.mobile ?? '').normalize('NFKC'))
  const isNumberRead = !faults.some(({ column }) => column === '手机号')
  const isWrong = isNumberRead && !isMobile(mobile)
  const values = sheet.variables.map(name => [name, row[name] ?? ''] as const)
  return {
    line,
    mobile,
    name: row.name,
    room: row.room,
    variables: Object.fromEntries(values),
    gaps: values
      .filter(([name, value]) => !faults.some(({ column }) => column === name) && !valueInMessage(value))
      .map(([name, value]) => gapFault(line, name, value)),
    isWrongNumber: isWrong || !isNumberRead,
    faults: isWrong ? [...faults, numberFault(line, texts.mobile ?? '')] : faults,
  }
}
