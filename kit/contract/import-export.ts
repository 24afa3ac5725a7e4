import type { Id } from '#kit/domain/id.ts'
import { call, pathOf, type Call, type Permission } from './call.ts'
import {
  choice,
  choiceTable,
  flag,
  idOf,
  int,
  lines,
  list,
  moment,
  text,
  type Choices,
  type ChoiceRow,
  type Fields,
  type ValueOf,
} from './field.ts'
import type { FileResponse } from './file-response.ts'
import { fileResponse, shape, singleValue, type Shape } from './shape.ts'
import { sheetLimits } from './sheet.ts'

/** What to do with lines whose record is already there; a module may have its own table (rooms have four). */
export const importMode = choiceTable('ImportMode', '遇到已有的数据', {
  skip: [10, '跳过，保留原数据'],
  update: [20, '以表中数据覆盖'],
})

const lineFaultFields = {
  line: int('行', { required: true }),
  column: text('列'),
  value: text('原值'),
  message: text('问题', { required: true, wire: 'Says' }),
  remedy: text('修改建议'),
}

/** The first `sheetLimits.listed` of each sort; the counts are of all. */
export const importResult = shape({
  importId: text('导入编号'),
  /** Set by the second step alone: where the work can be followed. */
  taskId: idOf('任务编号'),
  fileName: text('文件名'),
  rows: int('数据行数'),
  good: int('可导入行数'),
  /** Whether the same file was imported before (IMP-4). */
  already: moment('上次导入时间'),
  headings: lines('列', {
    heading: text('表中的列', { required: true }),
    label: text('对应'),
    used: flag('采用'),
  }),
  errorCount: int('错误'),
  warningCount: int('提醒'),
  repeatedCount: int('文件内重复'),
  existingCount: int('已有'),
  /** Lines that the mode leaves out: with those to be imported, faulty and repeated they are all. */
  skippedCount: int('跳过'),
  errors: lines('错误', lineFaultFields),
  warnings: lines('提醒', lineFaultFields),
  repeated: lines('文件内重复', lineFaultFields),
  existing: lines('已有', lineFaultFields),
  /** Records that lines name, that do not exist and that the import can add at once (`addMissing`). */
  missing: lines('缺少的数据', {
    name: text('名称', { required: true }),
    note: text('说明', { required: true }),
  }),
})

export type ImportResult = typeof importResult extends Shape<infer T> ? T : never

/**
 * An import in two steps at one address (IMP-1): with a file it returns the preview and writes nothing; with
 * `importId` and `mode` it begins the work and returns its task. Beside it the template with live lists
 * (IMP-7) and the file of faulty lines (IMP-3).
 */
export interface ImportCalls<X extends Fields = Fields> {
  readonly post: Call<
    { readonly importId?: string; readonly mode?: string; readonly addMissing?: boolean } & ValueOf<X>,
    ImportResult
  >
  readonly template: Call<ValueOf<X>, FileResponse>
  readonly faults: Call<{ readonly importId: string }, FileResponse>
  readonly calls: readonly Call[]
}

/** The first step: it checks the file and writes none of its lines. */
const isCheck = (raw: Readonly<Record<string, unknown>>): boolean =>
  !Object.entries(raw).some(([name, value]) => /^(importid|addmissing)$/i.test(name) && value)

interface ImportOptions<R extends { readonly [key: string]: ChoiceRow }, X extends Fields> {
  readonly route: `POST ${string}`
  readonly aliases?: readonly string[]
  /** `导入房间`. */
  readonly title: string
  readonly needs: Permission
  readonly affects: readonly string[]
  readonly modes?: Choices<keyof R & string>
  /** What else the import needs: the estate, the month. */
  readonly extraInput?: X
  /** `楼栋`: what lines name, and the import can add before it checks them. */
  readonly addsMissing?: string
}

/**
 * Declares the three calls of an import; `room/PostImport` has its template at `room/GetImportTemplate`, its
 * faults at `room/GetImportFaults`.
 */
export function declareImport<
  const R extends { readonly [key: string]: ChoiceRow },
  const X extends Fields = {},
>(about: ImportOptions<R, X>): ImportCalls<X> {
  const { route, aliases, title, needs, affects } = about
  const modes: Choices = about.modes ?? importMode
  const extraInput = (about.extraInput ?? {}) as X
  const base = pathOf({ route } as Call).replace(/\/[^/]+$/, '')
  const post = call({
    route,
    ...(aliases ? { aliases } : {}),
    title,
    logTitle: input => (isCheck(input) ? `${title}（校验）` : title),
    needs,
    affects,
    upload: sheetLimits.bytes,
    input: shape({
      importId: text('导入编号', { max: 40 }),
      mode: choice('遇到已有的数据', modes),
      ...(about.addsMissing ? { addMissing: flag(about.addsMissing) } : {}),
      ...extraInput,
    }),
    output: importResult,
  })
  const template = call({
    route: `GET ${base}/GetImportTemplate`,
    title: `${title}：下载模板`,
    needs,
    input: shape(extraInput),
    output: fileResponse,
  })
  const faults = call({
    route: `GET ${base}/GetImportFaults`,
    title: `${title}：下载错误行`,
    needs,
    input: shape({ importId: text('导入编号', { required: true, max: 40 }) }),
    output: fileResponse,
  })
  return { post, template, faults, calls: [post, template, faults] } as unknown as ImportCalls<X>
}

const exportFields = {
  columns: list('导出的列', { max: 200 }),
  ids: list('勾选的行', { max: 2000, wire: ['Ids', 'ID'] }),
  /** What the screen counted: asked again where the filter now finds another number. */
  expected: int('预计行数', { min: 0 }),
}

export type ExportInput = ValueOf<typeof exportFields>

/**
 * The same query as its list (EXP-1): up to 2,000 rows at once, more as a task whose file stays seven days
 * (EXP-2, EXP-5).
 */
export interface ExportCalls<I = any> {
  readonly get: Call<I & ExportInput, FileResponse>
  readonly start: Call<I & ExportInput, Id>
  readonly calls: readonly Call[]
  /** The columns that the list totals. */
  readonly sums: readonly string[]
}

/**
 * `declareExport({ route: 'GET Room/GetExport', title: '导出房间', needs, of: listRooms })`; the task is started
 * at `POST Room/GetExportTask`.
 */
export function declareExport<I>(about: {
  readonly route: `GET ${string}`
  readonly aliases?: readonly string[]
  readonly title: string
  readonly needs: Permission
  readonly list: Call<I, any>
}): ExportCalls<I> {
  const { route, aliases, title, needs, list: listCall } = about
  const { page: _page, size: _size, ...fields } = listCall.input.fields
  const input = { ...listCall.input, fields: { ...fields, ...exportFields } } as Shape
  const get = call({ route, ...(aliases ? { aliases } : {}), title, needs, input, output: fileResponse })
  const start = call({
    route: `POST ${pathOf(get)}Task`,
    title: `${title}（后台）`,
    needs,
    input,
    output: singleValue(idOf('任务编号', { required: true })),
  })
  return { get, start, calls: [get, start], sums: listCall.output.sums ?? [] } as ExportCalls<I>
}
