import { useLayoutEffect, useRef, useState, type CSSProperties, type ReactNode, type RefObject } from 'react'
import { useFileUrls } from '#kit/web/file-store.ts'
import {
  formatCopyName,
  getPaperDimensions,
  type PrintPart,
  type PrintSetting,
} from '../domain/print-settings.ts'
import { arrangeByParts } from '../domain/print-layout.ts'
import { paginateRows } from '../domain/print-pages.ts'
import { fillPlaceholders, type PrintPlaceholder } from '../domain/print-placeholders.ts'
import './print.css'

/** A fact or a column that stands there when its part is asked for; without a part, always. */
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

/** What stands on the paper, whatever the paper is. A row has a value for every column. */
export interface PrintContent {
  readonly facts: readonly PrintFact[]
  readonly columns?: readonly PrintColumn[]
  readonly rows?: readonly (readonly ReactNode[])[]
  /** Under the rows, as they are; the first word goes to the first column that is shown. */
  readonly total?: readonly ReactNode[]
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
  readonly companyLogo?: string | undefined
  readonly estateName?: string | undefined
}

interface Props {
  readonly setting: PrintPaper
  readonly content: PrintContent
  /** Which copy, from 0. */ readonly copy?: number
}

function Logo({ of }: { readonly of: string }) {
  const [src] = useFileUrls([of])
  return src ? <img className="print-logo" src={src} alt="" /> : null
}

type PageSlice = readonly [from: number, to: number]
const toPlainValue = (v: ReactNode): unknown => (typeof v === 'object' ? '' : v)

/** What a measure holds for: the paper, its texts, and every word on it. */
const computeSignature = (s: PrintPaper, c: PrintContent): string =>
  JSON.stringify([
    s,
    c.facts.map(f => toPlainValue(f.value)),
    c.rows?.map(r => r.map(toPlainValue)),
    c.lines?.map(l => toPlainValue(l.value)),
    c.remark,
  ])

/**
 * One document on its paper, as its template says; what does not fit goes on to the next page. The preview,
 * the printer and the reprint draw the same.
 */
export function PrintSheet({ setting, content, copy = 0 }: Props) {
  const [, h] = getPaperDimensions(setting)
  const signature = computeSignature(setting, content)
  const [found, setFound] = useState<{ readonly sign: string; readonly pages: readonly PageSlice[] }>()
  const sheetRef = useRef<HTMLElement>(null)
  const all: PageSlice = [0, content.rows?.length ?? 0]
  const pages = found?.sign === signature ? found.pages : [all]
  useLayoutEffect(() => {
    const el = sheetRef.current
    if (found?.sign === signature || !el) return
    const mm = el.offsetWidth / getPaperDimensions(setting)[0]
    const rows = [...el.querySelectorAll<HTMLElement>('tbody > tr')].map(r => r.offsetHeight)
    const tail = [
      ...el.querySelectorAll<HTMLElement>('tfoot, .print-lines, .print-paper > .print-line, .print-signs'),
    ].reduce((n, x) => n + x.offsetHeight, 0)
    const sum = rows.reduce((n, r) => n + r, 0)
    if (mm > 0) {
      setFound({
        sign: signature,
        pages:
          h === undefined || el.offsetHeight <= h * mm + 1
            ? [all]
            : paginateRows({ paper: h * mm, fixedHeight: el.offsetHeight - sum, footerHeight: tail, rows }),
      })
    }
  })
  return (
    <>
      {pages.map((slice, n) => (
        <SheetPage
          key={n}
          ref={pages.length === 1 ? sheetRef : undefined}
          setting={setting}
          content={content}
          copy={copy}
          slice={slice}
          page={[n + 1, pages.length]}
        />
      ))}
    </>
  )
}

interface SheetFooterProps {
  readonly setting: PrintPaper
  readonly text: string | undefined
  readonly copy: number
  readonly page: readonly [n: number, of: number]
  /** When it was printed, with its label; empty where it is not shown. */
  readonly printedAt: string
}

const SheetFooter = ({ setting, text, copy, page: [page, of], printedAt }: SheetFooterProps) => (
  <footer>
    {text && <p>{text}</p>}
    <div>
      {setting.copies > 1 ? <span>{formatCopyName(copy, setting.copyNames)}</span> : <span />}
      {of > 1 && (
        <span>
          第 {page}/{of} 页
        </span>
      )}
      {printedAt && <span>{printedAt}</span>}
    </div>
  </footer>
)

interface SheetPageProps extends Required<Pick<Props, 'setting' | 'content' | 'copy'>> {
  readonly slice: PageSlice
  readonly page: readonly [n: number, of: number]
  readonly ref: RefObject<HTMLElement | null> | undefined
}

/** One page, true to size where `--mm` is a millimetre. Black on white in both themes. */
function SheetPage({
  setting: s,
  content: c,
  copy,
  slice: [from, to],
  page: [page, of],
  ref,
}: SheetPageProps) {
  const [w, h] = getPaperDimensions(s)
  const parts = s.parts ?? []
  const has = (part: PrintPart): boolean => parts.includes(part)
  const names = new Map((s.labels ?? []).map(l => [l.part, l.label]))
  const labelOf = (x: { readonly part?: PrintPart; readonly label: string }): string =>
    (x.part && names.get(x.part)) ?? x.label
  const shown = arrangeByParts(
    (c.columns ?? []).map((x, i) => ({ ...x, i })),
    parts,
  )
  const narrow = w < 100
  const logo = s.logo ?? s.companyLogo
  const words = {
    公司: s.companyName ?? '',
    项目: s.estateName ?? '',
    打印时间: c.printedAt ?? '',
    ...c.words,
  }
  const look = {
    '--w': w,
    '--h': h ?? 0,
    '--top': s.marginTop,
    '--right': s.marginRight,
    '--bottom': s.marginBottom,
    '--left': s.marginLeft,
    '--pt': s.fontSize,
  } as CSSProperties
  const cells = (row: readonly ReactNode[]): ReactNode =>
    shown.map(x => (
      <td key={x.i} className={x.right ? 'right' : undefined}>
        {row[x.i]}
      </td>
    ))
  // 合计 stands under the first column, whichever that is.
  const [word, ...sums] = c.total ?? []
  const total: readonly ReactNode[] = ['', ...sums]
  const first = shown.find(x => !total[x.i])?.i
  const last = page === of
  const under = arrangeByParts(c.lines ?? [], parts)
  const signatures = has('signature') ? (c.signatures ?? []) : []
  return (
    <article ref={ref} className={`print-paper${narrow ? ' narrow' : ''}`} style={look}>
      {s.header && <p className="print-head">{fillPlaceholders(s.header, words)}</p>}
      <h1>
        {has('logo') && logo && <Logo of={logo} />}
        {/\{公司\}/.test(s.title) ? null : s.companyName}
        {fillPlaceholders(s.title, words)}
      </h1>
      <dl>
        {arrangeByParts(c.facts, parts).map(f => (
          <div key={f.label}>
            <dt>{labelOf(f)}：</dt>
            <dd>{f.value}</dd>
          </div>
        ))}
      </dl>
      {shown.length > 0 && (
        <table>
          <thead>
            <tr>
              {shown.map(x => (
                <th key={x.i} className={x.right ? 'right' : undefined}>
                  {labelOf(x)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(c.rows ?? []).slice(from, to).map((r, n) => (
              <tr key={n}>{cells(r)}</tr>
            ))}
          </tbody>
          {last && c.total && (
            <tfoot>
              <tr>{cells(total.map((v, i) => (i === first ? word : v)))}</tr>
            </tfoot>
          )}
        </table>
      )}
      {last && under.length > 0 && (
        <div className="print-lines">
          {under.map(f => (
            <p key={f.label} className="print-line">
              {labelOf(f)}：{f.value}
            </p>
          ))}
        </div>
      )}
      {last && c.remark && has('remark') && (
        <p className="print-line">
          {labelOf({ part: 'remark', label: '备注' })}：{c.remark}
        </p>
      )}
      {last && (signatures.length > 0 || s.showSeal) && (
        <div className="print-signs">
          {s.showSeal && <span className="print-seal">单位（盖章）：</span>}
          {signatures.map(x => (
            <span key={x}>{x}：________</span>
          ))}
        </div>
      )}
      <SheetFooter
        setting={s}
        text={s.footer && fillPlaceholders(s.footer, words)}
        copy={copy}
        page={[page, of]}
        printedAt={
          has('printTime') && c.printedAt
            ? `${labelOf({ part: 'printTime', label: '打印' })} ${c.printedAt}`
            : ''
        }
      />
    </article>
  )
}
