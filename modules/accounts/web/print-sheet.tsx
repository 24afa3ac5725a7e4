import { useLayoutEffect, useRef, useState, type CSSProperties, type ReactNode, type RefObject } from 'react'
import { cssVariables } from '#kit/web/css-variables.ts'
import { useFileUrls } from '#kit/web/file-store.ts'
import { getPaperDimensions, type PrintPart, type PrintSetting } from '../domain/print-settings.ts'
import { arrangeByParts } from '../domain/print-layout.ts'
import { paginateRows } from '../domain/print-pages.ts'
import { fillPlaceholders, type PrintPlaceholder } from '../domain/print-placeholders.ts'
import {
  RollTable,
  SheetTable,
  type LabelOf,
  type PageSlice,
  type SheetPartProps,
} from './print-sheet-table.tsx'
import { SheetFooter, contactText, isNarrow } from './print-sheet-footer.tsx'
import './print.css'

/** A fact or a column that is there when its part is asked for; without a part, always. */
export interface PrintFact {
  readonly part?: PrintPart
  readonly label: string
  readonly value: ReactNode
}

export interface PrintColumn {
  readonly part?: PrintPart
  readonly label: string
  readonly right?: boolean
}

/** What is on the paper, whatever the paper is. A row has a value for every column. */
export interface PrintContent {
  readonly facts: readonly PrintFact[]
  readonly columns?: readonly PrintColumn[]
  readonly rows?: readonly (readonly ReactNode[])[]
  /** Under the rows, as they are; the first word goes to the first column that is shown. */
  readonly total?: readonly ReactNode[]
  /** The sums of the rows of one page, where there are several; as `total`. */
  readonly subtotalOf?: (from: number, to: number) => readonly ReactNode[]
  readonly lines?: readonly PrintFact[]
  readonly remark?: string
  readonly signatures?: readonly string[]
  readonly printedAt?: string
  /** What the braces of the template's texts stand for, beside what every sheet knows. */
  readonly words?: Readonly<Partial<Record<PrintPlaceholder, string>>>
}

/** A setting with whose name and mark it is printed. */
export type PrintPaper = PrintSetting & {
  readonly companyName?: string | undefined
  readonly companyContact?: string | undefined
  readonly companyPhone?: string | undefined
  readonly companyAddress?: string | undefined
  readonly companyLogo?: string | undefined
  readonly estateName?: string | undefined
}

interface Props {
  readonly setting: PrintPaper
  readonly content: PrintContent
  /** Which copy, from 0. */
  readonly copy?: number
}

function Logo({ of }: { readonly of: string }) {
  const [src] = useFileUrls([of])
  return src ? <img className="print-logo" src={src} alt="" /> : null
}

interface PageLayout {
  readonly pages: readonly PageSlice[]
  /** Parts of the table's width; empty where the browser may choose. */
  readonly columnWidths: readonly number[]
}

const toPlainValue = (v: ReactNode): unknown => (typeof v === 'object' ? '' : v)

/** What a measure holds for: the paper, its texts, and every word on it. */
const computeSignature = (paper: PrintPaper, content: PrintContent): string =>
  JSON.stringify([
    paper,
    content.facts.map(f => toPlainValue(f.value)),
    content.rows?.map(r => r.map(toPlainValue)),
    content.lines?.map(l => toPlainValue(l.value)),
    content.remark,
  ])

/** With its fractions: twenty rounded rows are a row too much or too few. */
const heightOf = (element: Element): number => element.getBoundingClientRect().height

/**
 * One document on its paper, as its template says; what does not fit goes on to the next page. The preview,
 * the printer and the reprint draw the same.
 */
export function PrintSheet({ setting, content, copy = 0 }: Props) {
  const [, paperHeight] = getPaperDimensions(setting)
  const signature = computeSignature(setting, content)
  const [found, setFound] = useState<PageLayout & { readonly sign: string }>()
  const sheetRef = useRef<HTMLElement>(null)
  const all: PageSlice = [0, content.rows?.length ?? 0]
  const { pages, columnWidths } = found?.sign === signature ? found : { pages: [all], columnWidths: [] }
  useLayoutEffect(() => {
    const el = sheetRef.current
    if (found?.sign === signature || !el) return
    const height = heightOf(el)
    const mm = el.getBoundingClientRect().width / getPaperDimensions(setting)[0]
    const rows = [...el.querySelectorAll('tbody > tr')].map(heightOf)
    const tail = [
      ...el.querySelectorAll('tfoot, .print-lines, .print-paper > .print-line, .print-signs'),
    ].reduce((n, x) => n + heightOf(x), 0)
    const sum = rows.reduce((n, r) => n + r, 0)
    const table = el.querySelector('table')?.offsetWidth ?? 0
    // Of several pages every one has the columns of the whole.
    const widths = [...el.querySelectorAll<HTMLElement>('thead th')].map(th => th.offsetWidth / table)
    const sums = el.querySelector('tfoot tr')
    const subtotalHeight = content.subtotalOf && sums ? heightOf(sums) : 0
    if (mm > 0) {
      setFound({
        sign: signature,
        columnWidths: widths,
        pages:
          paperHeight === undefined || height <= paperHeight * mm + 1
            ? [all]
            : paginateRows({
                paper: paperHeight * mm,
                fixedHeight: height - sum,
                footerHeight: tail,
                subtotalHeight,
                rows,
              }),
      })
    }
  })
  return (
    <>
      {pages.map((slice, index) => (
        <SheetPage
          key={index}
          ref={pages.length === 1 ? sheetRef : undefined}
          setting={setting}
          content={content}
          copy={copy}
          slice={slice}
          columnWidths={pages.length > 1 ? columnWidths : []}
          page={[index + 1, pages.length]}
        />
      ))}
    </>
  )
}

interface SheetPageProps extends Required<Pick<Props, 'setting' | 'content' | 'copy'>> {
  readonly slice: PageSlice
  readonly columnWidths: readonly number[]
  readonly page: readonly [n: number, of: number]
  readonly ref: RefObject<HTMLElement | null> | undefined
}

/** Printed once, under the last row: lines, the remark, seal and signatures. */
function SheetEnd({ setting, content, labelOf }: SheetPartProps) {
  const { parts = [], showSeal } = setting
  const signatures = parts.includes('signature') ? (content.signatures ?? []) : []
  const shownLines = arrangeByParts(content.lines ?? [], parts)
  // The cashier is named once: beside the other signatures.
  const signed = new Map(shownLines.map(line => [line.label, line]))
  const lines = shownLines.filter(line => !signatures.includes(line.label))
  return (
    <>
      {lines.length > 0 && (
        <div className="print-lines">
          {lines.map(line => (
            <p key={line.label} className="print-line">
              {labelOf(line)}：{line.value}
            </p>
          ))}
        </div>
      )}
      {content.remark && parts.includes('remark') && (
        <p className="print-line">
          {labelOf({ part: 'remark', label: '备注' })}：{content.remark}
        </p>
      )}
      {(signatures.length > 0 || showSeal) && (
        <div className="print-signs">
          {showSeal && <span className="print-seal">单位（盖章）：</span>}
          {signatures.map(signature => {
            const line = signed.get(signature)
            return (
              <span key={signature}>
                {line ? labelOf(line) : signature}：{line?.value || '________'}
              </span>
            )
          })}
        </div>
      )}
    </>
  )
}

/** Slips and rolls are set closer than letters: more bills are on a page. */
function densityOf(s: PrintPaper): string {
  const [, height] = getPaperDimensions(s)
  if (isNarrow(s)) return ' dense narrow'
  return height !== undefined && height < 145 ? ' dense' : ''
}

const sizeStyle = (paper: PrintPaper): CSSProperties => {
  const [width, height = 0] = getPaperDimensions(paper)
  return cssVariables({
    '--w': width,
    '--h': height,
    '--top': paper.marginTop,
    '--right': paper.marginRight,
    '--bottom': paper.marginBottom,
    '--left': paper.marginLeft,
    '--pt': paper.fontSize,
  })
}

/** A company has several estates: a room is named with its own, another document has it as a fact. */
function withEstate(facts: readonly PrintFact[], { title, header, estateName }: PrintPaper): PrintFact[] {
  if (!estateName || `${title}${header ?? ''}`.includes('{项目}')) return [...facts]
  return facts.some(fact => fact.part === 'room')
    ? facts.map(fact =>
        fact.part === 'room'
          ? {
              ...fact,
              value: (
                <>
                  {estateName} {fact.value}
                </>
              ),
            }
          : fact,
      )
    : [...facts, { label: '项目', value: estateName }]
}

/** One page, true to size where `--mm` is a millimetre. Black on white in both themes. */
function SheetPage({ setting, content, copy, slice, columnWidths, page, ref }: SheetPageProps) {
  const { parts = [], labels = [], header, title, footer, companyName, estateName } = setting
  const { printedAt } = content
  const ownLabels = new Map(labels.map(l => [l.part, l.label]))
  const labelOf: LabelOf = ({ part, label }) => (part && ownLabels.get(part)) ?? label
  const logo = setting.logo ?? setting.companyLogo
  const words = {
    公司: companyName ?? '',
    项目: estateName ?? '',
    打印时间: printedAt ?? '',
    ...content.words,
  }
  const isLast = page[0] === page[1]
  const part = { setting, content, labelOf }
  return (
    <article ref={ref} className={`print-paper${densityOf(setting)}`} style={sizeStyle(setting)}>
      {header && <p className="print-head">{fillPlaceholders(header, words)}</p>}
      <h1>
        {parts.includes('logo') && logo && <Logo of={logo} />}
        {/\{公司\}/.test(title) ? null : companyName}
        {fillPlaceholders(title, words)}
      </h1>
      <dl>
        {withEstate(arrangeByParts(content.facts, parts), setting).map(fact => (
          <div key={fact.label}>
            <dt>{labelOf(fact)}：</dt>
            <dd>{fact.value}</dd>
          </div>
        ))}
      </dl>
      {isNarrow(setting) ? (
        <RollTable {...part} slice={slice} />
      ) : (
        <SheetTable
          {...part}
          slice={slice}
          columnWidths={columnWidths}
          isLast={isLast}
          isOnlyPage={page[1] === 1}
        />
      )}
      {isLast && <SheetEnd {...part} />}
      <SheetFooter
        setting={setting}
        text={footer && fillPlaceholders(footer, words)}
        contact={parts.includes('contact') ? contactText(setting) : ''}
        copy={copy}
        page={page}
        printedAt={
          parts.includes('printTime') && printedAt
            ? `${labelOf({ part: 'printTime', label: '打印' })} ${printedAt}`
            : ''
        }
      />
    </article>
  )
}
