import { Link } from 'react-router'
import { count, yuan } from '#kit/web/figure.tsx'

interface Bar { readonly key: string; readonly label: string; readonly value: number; readonly to: string | undefined }
/** Amounts from zero; each bar says its figure and leads to its rows. */
export function Bars({ rows, empty }: { readonly rows: readonly Bar[]; readonly empty: string }) {
  const most = Math.max(1, ...rows.map(r => Math.abs(r.value)))
  if (!rows.length) return <p className="fin-empty">{empty}</p>
  return (
    <ol className="fin-bars">
      {rows.map(r => {
        const words = `${r.key}：${yuan(r.value)} 元`, inside = <><i style={{ height: `${Math.max(1, Math.abs(r.value) / most * 100)}%` }} className={r.value < 0 ? 'below' : undefined} /><span>{r.label}</span></>
        return <li key={r.key} title={words}>{r.to ? <Link to={r.to} aria-label={words}>{inside}</Link> : <div role="img" aria-label={words}>{inside}</div>}</li>
      })}
    </ol>
  )
}
interface Age extends Bar { readonly age: number; readonly count: number }
const tone = (age: number): string => (age === 0 ? 'var(--line-strong)' : `var(--age-${Math.min(6, age)})`)
/** Parts of what is unpaid, from the youngest, in the ordered ramp of ages. */
export function AgeBars({ rows }: { readonly rows: readonly Age[] }) {
  const most = Math.max(1, ...rows.map(r => r.value))
  if (!rows.length) return <p className="fin-empty">没有待收的账单</p>
  return (
    <table className="fin-ages">
      <tbody>{rows.map(r => <tr key={r.key}><th>{r.label}</th><td className="bar"><i style={{ width: `${r.value / most * 100}%`, background: tone(r.age) }} /></td><td>{r.to ? <Link to={r.to} className="figure">{yuan(r.value)}</Link> : <span className="figure">{yuan(r.value)}</span>}</td><td>{count(r.count)} 张</td></tr>)}</tbody>
    </table>
  )
}
