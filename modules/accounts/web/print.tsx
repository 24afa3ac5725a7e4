import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { act } from '#kit/web/acts.ts'
import { controls, type Control } from '#kit/web/controls/kinds.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { Skeleton, Trouble } from '#kit/web/list/states.tsx'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { docType, printPart, printSettings, propertyPrint, putPrint } from '../contract/print.ts'
import { mayLie, partsOf, printDefaults, printFaults, settingOf, sizeOf, type DocType, type PaperSize, type PrintSetting } from '../domain/print.ts'
import { menu } from '../module.ts'
import { samples } from './print-sample.ts'
import { PrintSheet } from './print-sheet.tsx'
import './print.css'

const kinds = Object.keys(docType.rows) as DocType[]
/** Ticks for what this kind of document knows (PRINT-2), in the order of the sheet. */
const partsControl = (d: DocType): Control => {
  const known = { ...propertyPrint.fields.parts, choices: { ...printPart, rows: Object.fromEntries(partsOf[d].map(p => [p, printPart.rows[p]])) } } as never, Ticks = controls.choices
  return p => <Ticks {...p} field={known} />
}
const partsControls = Object.fromEntries(kinds.map(k => [k, partsControl(k)])) as Record<DocType, Control>
const groupsOf = (d: DocType) => [
  { title: '纸张', keys: [{ key: 'paperSize', wide: true, then: (v: PaperSize | undefined) => (v && !mayLie(v) ? { landscape: false } : undefined) }, { key: 'landscape', hidden: (v: Partial<PrintSetting>) => !v.paperSize || !mayLie(v.paperSize) }, 'fontSize', 'marginTop', 'marginBottom', 'marginLeft', 'marginRight'] },
  { title: '内容', keys: [{ key: 'title', wide: true }, { key: 'parts', control: partsControls[d], wide: true }, 'showSeal', { key: 'header', wide: true }, { key: 'footer', wide: true }] },
  { title: '联次', keys: ['copies', { key: 'copyNames', wide: true }] },
]
/** Everything that a sheet needs is there, and it can be printed so. */
const good = (v: Partial<PrintSetting>): v is PrintSetting => {
  const s = v as PrintSetting, whole = [s.marginTop, s.marginRight, s.marginBottom, s.marginLeft, s.fontSize, s.copies].every(n => typeof n === 'number' && Number.isInteger(n) && n >= 0) && typeof s.paperSize === 'string'
  return whole && s.fontSize >= 7 && s.fontSize <= 16 && s.copies >= 1 && s.copies <= 6 && !Object.keys(printFaults(s)).some(k => k.startsWith('margin'))
}
function Preview({ setting, company }: { readonly setting: PrintSetting; readonly company: string }) {
  const [copy, setCopy] = useState(0), [w, h] = sizeOf(setting), at = Math.min(copy, setting.copies - 1)
  return (
    <div className="print-desk">
      <header><span>预览（样例数据）</span><small>{w}{h === undefined ? '' : ` × ${h}`} mm</small><span className="spring" />
        {setting.copies > 1 && <Segmented size="small" aria-label="第几联" value={at} onChange={v => setCopy(v)} options={Array.from({ length: setting.copies }, (_, n) => ({ value: n, label: setting.copyNames?.[n] ?? `第 ${n + 1} 联` }))} />}
      </header>
      <div className="print-fit" style={{ '--w': w } as never}><PrintSheet setting={setting} company={company} content={samples[setting.docType]} copy={at} /></div>
    </div>
  )
}

/** How each kind of document is printed, with the sheet beside it. */
export default function Print() {
  const [at, setAt] = useSearchParams(), asked = useCall(printSettings, undefined, { quiet: true, project: 0, fresh: 0 }), may = usePermission(), company = useSession(s => s.signed?.manager.companyName) ?? ''
  const kind = kinds.find(k => k === at.get('doc')) ?? 'receipt', [anew, setAnew] = useState<Partial<Record<DocType, number>>>({})
  if (asked.isError) return <Trouble error={asked.error} retry={() => void asked.refetch()} />
  if (!asked.data) return <Skeleton rows={8} />
  const is = asked.data.find(s => s.docType === kind)!, edits = may(menu.print.may.edit), turn = anew[kind] ?? 0
  // 恢复默认 puts the defaults into the form; nothing is changed before it is saved.
  const { createTime: _c, updateTime: _u, ...saved } = is, initial = turn ? { ...saved, ...settingOf(kind), header: undefined, footer: printDefaults[kind].footer } : saved
  return (
    <div className="print-page">
      <nav aria-label="单据">{kinds.map(k => <button type="button" key={k} aria-current={k === kind ? 'page' : undefined} onClick={() => setAt({ doc: k }, { replace: true })}>{labelOf(docType, k)}{asked.data.find(s => s.docType === k)!.id ? null : <small>默认</small>}</button>)}</nav>
      {edits ? (
        <FormPage
          key={`${kind} ${is.version} ${turn}`} of={putPrint.input} title={<>{labelOf(docType, kind)}<Button size="small" type="text" onClick={() => setAnew({ ...anew, [kind]: turn + 1 })}>恢复默认</Button></>} groups={groupsOf(kind)} initial={initial as never}
          rules={v => printFaults(v as PrintSetting)} save={v => act(putPrint, { ...v, docType: kind, ...(is.version ? { version: is.version } : {}) }, { quiet: true })} load={async () => (await send(printSettings, undefined)).find(s => s.docType === kind) as never}
          aside={v => { const s = { ...is, ...v, docType: kind } as Partial<PrintSetting>; return good(s) ? <Preview setting={s} company={company} /> : <p className="print-wait">纸张与边距填对以后显示预览</p> }}
          onDone={() => { toast.success(`已保存「${labelOf(docType, kind)}」的打印设置`); setAnew({ ...anew, [kind]: 0 }); void asked.refetch() }}
        />
      ) : <div className="print-only"><Preview setting={is as PrintSetting} company={company} /></div>}
    </div>
  )
}
