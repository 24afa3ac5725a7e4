import { attachmentFolder, attachmentListPath, manifestPath, type CompanyManifest } from './manifest.ts'
import type { OmittedPart } from './plan.ts'

type Described = Omit<CompanyManifest, 'readme' | 'attachments' | 'sequences'>

const whyLabels = { secret: '密钥、密码等凭据，不随数据带走', transient: '只在原系统短时间内有用' } as const

const describeOmitted = ({ table, tableLabel, column, heading }: OmittedPart): string =>
  column
    ? `  ${tableLabel}（${table}）：${heading}（${column}）`
    : `  ${tableLabel}（${table}）：${heading ?? '整张表'}`

function describeOmissions(omitted: readonly OmittedPart[]): string[] {
  return (['secret', 'transient'] as const).flatMap(why => {
    const parts = omitted.filter(part => part.why === why)
    return parts.length ? [`  —— ${whyLabels[why]}：`, ...parts.map(describeOmitted), ''] : []
  })
}

/** What the zip holds and how it is read, for people who open it without the product. */
export function writeReadme(manifest: Described): string {
  const { company, product, productVersion, exportTime, tables, omitted } = manifest
  const lines = [
    `${company.name} 的全部数据`,
    '',
    `公司编号：${company.id}`,
    `导出时间：${exportTime}`,
    `产品：${product} ${productVersion}，格式 ${manifest.format}`,
    '',
    '一、内容',
    '  数据/        每种记录一个 CSV 文件，含已删除的记录（「已删除」一列为「1 是」）',
    `  ${attachmentFolder}/        上传的文件，按所属的文件夹或记录存放，名称不变；重名的在名称后加文件键的前 8 位`,
    `  ${attachmentListPath}  文件键与上面文件的对照，附大小与 SHA-256`,
    `  ${manifestPath}  版本、各文件的行数、大小、SHA-256、各列的名称与类型`,
    '',
    '二、CSV 的写法',
    '  编码 UTF-8（带 BOM），逗号分隔，RFC 4180；第一行是「中文名（列名）」。',
    '  没有值的字段为空，空文本写作 ""。金额单位元，时间为北京时间并带时区。',
    '  选项写作「代码 名称」，如「10 空置」；是否写作「是」「否」。',
    '  以 =、+、-、@ 等开头，或会被电子表格当作日期、数字的文本，前面加一个制表符，以免被当作公式执行；导入时自动去掉。',
    '  多个值写作 {甲,乙}；明细写作 JSON。',
    '',
    '三、不在其中的',
    ...describeOmissions(omitted),
    '  已到期的临时文件与尚未结束的后台任务也不在其中。',
    '',
    '四、导入',
    '  npm run import-company -- --file 本文件 --data 新的数据目录',
    '  只能导入尚无公司的安装；内容被改动的文件不能导入。导入后须重新设置密码与各项密钥。',
    '',
    `五、各文件（共 ${tables.length} 个）`,
    ...tables.map(table => `  ${table.path}  ${table.rows} 行`),
    '',
  ]
  return `\ufeff${lines.join('\r\n')}`
}
