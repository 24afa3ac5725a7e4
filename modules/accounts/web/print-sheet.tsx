import type { CSSProperties, ReactNode } from 'react'
import { copyName, sizeOf, type PrintPart, type PrintSetting } from '../domain/print.ts'
import './print.css'

/** A fact or a column that stands there when its part is asked for; without a part, always. */
export interface PrintFact { readonly part?: PrintPart; readonly label: string; readonly value: ReactNode }
export interface PrintColumn { readonly part?: PrintPart; readonly label: string; readonly right?: boolean }
/** What stands on the paper, whatever the paper is. A row has a value for every column. */
export interface PrintContent {
  readonly facts: readonly PrintFact[]
  readonly columns?: readonly PrintColumn[]
  readonly rows?: readonly (readonly ReactNode[])[]
  /** Under the rows, as they are. */
  readonly total?: readonly ReactNode[]
  readonly lines?: readonly PrintFact[]
  readonly remark?: string
  readonly signatures?: readonly string[]
  readonly printedAt?: string
}
interface Props { readonly setting: PrintSetting; readonly company: string; readonly logo?: ReactNode; readonly content: PrintContent; /** Which copy, from 0. */ readonly copy?: number }

/** One document on its paper, as its kind is set up; true to size where `--mm` is a millimetre. Black on white in both themes. */
export function PrintSheet({ setting: s, company, logo, content: c, copy = 0 }: Props) {
  const [w, h] = sizeOf(s), has = (part?: PrintPart): boolean => part === undefined || (s.parts ?? []).includes(part)
  const shown = (c.columns ?? []).flatMap((x, i) => (has(x.part) ? [{ ...x, i }] : [])), narrow = w < 100
  const look = { '--w': w, '--h': h ?? 0, '--top': s.marginTop, '--right': s.marginRight, '--bottom': s.marginBottom, '--left': s.marginLeft, '--pt': s.fontSize } as CSSProperties
  const cells = (row: readonly ReactNode[]): ReactNode => shown.map(x => <td key={x.i} className={x.right ? 'right' : undefined}>{row[x.i]}</td>)
  const signs = has('signature') ? c.signatures ?? [] : []
  return (
    <article className={`print-paper${narrow ? ' narrow' : ''}`} style={look}>
      {s.header && <p className="print-head">{s.header}</p>}
      <h1>{has('logo') && logo}{company}{s.title}</h1>
      <dl>{c.facts.filter(f => has(f.part)).map(f => <div key={f.label}><dt>{f.label}：</dt><dd>{f.value}</dd></div>)}</dl>
      {shown.length > 0 && (
        <table>
          <thead><tr>{shown.map(x => <th key={x.i} className={x.right ? 'right' : undefined}>{x.label}</th>)}</tr></thead>
          <tbody>{(c.rows ?? []).map((r, n) => <tr key={n}>{cells(r)}</tr>)}</tbody>
          {c.total && <tfoot><tr>{cells(c.total)}</tr></tfoot>}
        </table>
      )}
      {(c.lines ?? []).filter(f => has(f.part)).map(f => <p key={f.label} className="print-line">{f.label}：{f.value}</p>)}
      {c.remark && has('remark') && <p className="print-line">备注：{c.remark}</p>}
      {(signs.length > 0 || s.showSeal) && <div className="print-signs">{s.showSeal && <span className="print-seal">单位（盖章）：</span>}{signs.map(x => <span key={x}>{x}：________</span>)}</div>}
      <footer>
        {s.footer && <p>{s.footer}</p>}
        <div>{s.copies > 1 ? <span>{copyName(copy, s.copyNames)}</span> : <span />}{has('printTime') && c.printedAt && <span>打印 {c.printedAt}</span>}</div>
      </footer>
    </article>
  )
}
