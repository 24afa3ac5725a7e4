import { Button, Segmented, Select } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState, type CSSProperties } from 'react'
import { useSearchParams } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { confirm } from '#kit/web/confirm.tsx'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-states.tsx'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import {
  docType,
  deletePrintSetting,
  listPrintTemplateVersions,
  listPrintSettings,
  savePrintSetting,
} from '../contract/print-settings.ts'
import {
  canBeLandscape,
  printDefaults,
  findPrintFaults,
  getDefaultPrintSetting,
  getPaperDimensions,
  type DocType,
  type PaperSize,
  type PrintSetting,
} from '../domain/print-settings.ts'
import { placeholdersByDocType } from '../domain/print-placeholders.ts'
import { menu } from '../module.ts'
import { printPreviewSources } from './print-preview-sources.ts'
import { createPartsControl, type ChosenParts } from './print-parts.tsx'
import { sampleContents } from './print-samples.ts'
import { PrintSheet, type PrintPaper } from './print-sheet.tsx'
import './print.css'

const docTypes = Object.keys(docType.rows) as DocType[]
const partsControls = Object.fromEntries(docTypes.map(k => [k, createPartsControl(k)])) as Record<
  DocType,
  Control
>

const getFieldGroups = (d: DocType) => [
  {
    title: '纸张',
    keys: [
      {
        key: 'paperSize',
        wide: true,
        deriveValues: (v: PaperSize | undefined) =>
          v && !canBeLandscape(v) ? { landscape: false } : undefined,
      },
      {
        key: 'landscape',
        isHidden: (v: Partial<PrintSetting>) => !v.paperSize || !canBeLandscape(v.paperSize),
      },
      'fontSize',
      'marginTop',
      'marginBottom',
      'marginLeft',
      'marginRight',
    ],
  },
  {
    title: '内容',
    keys: [
      {
        key: 'title',
        wide: true,
        help: `公司名称印在前面。标题、页眉、页脚可用占位符：${placeholdersByDocType[d].map(w => `{${w}}`).join(' ')}`,
      },
      { key: 'logo', wide: true },
      {
        key: 'parts',
        control: partsControls[d],
        wide: true,
        otherKeys: ['labels'],
        spreadValue: (v: unknown) => {
          const c = v as ChosenParts
          return { parts: c.parts, labels: c.labels }
        },
      },
      'showSeal',
      { key: 'header', wide: true },
      { key: 'footer', wide: true },
    ],
  },
  { title: '联次', keys: ['copies', { key: 'copyNames', wide: true }] },
]

/** Everything that a sheet needs is there, and it can be printed so. */
const isPrintable = (v: Partial<PrintSetting>): v is PrintPaper => {
  const s = v as PrintSetting
  const whole =
    [s.marginTop, s.marginRight, s.marginBottom, s.marginLeft, s.fontSize, s.copies].every(
      n => typeof n === 'number' && Number.isInteger(n) && n >= 0,
    ) && typeof s.paperSize === 'string'
  return (
    whole &&
    s.fontSize >= 7 &&
    s.fontSize <= 16 &&
    s.copies >= 1 &&
    s.copies <= 6 &&
    !Object.keys(findPrintFaults({ ...s, title: s.title ?? '' })).some(k => k.startsWith('margin'))
  )
}

function Preview({
  setting,
  project,
}: {
  readonly setting: PrintPaper
  readonly project: string | undefined
}) {
  const [copy, setCopy] = useState(0)
  const [w, h] = getPaperDimensions(setting)
  const at = Math.min(copy, setting.copies - 1)
  const [made, setMade] = useState(false)
  const kind = setting.docType
  const find = printPreviewSources.useAll().find(s => s.kind === kind)?.newest
  const real =
    useQuery({
      queryKey: ['print-sample', kind, project ?? ''],
      queryFn: async () => (await find?.(project)) ?? null,
      enabled: find !== undefined,
      staleTime: 60_000,
      retry: false,
    }).data ?? undefined
  const content = made || !real ? sampleContents[kind] : real
  return (
    <div className="print-desk">
      <header>
        {real ? (
          <Segmented
            size="small"
            aria-label="预览的数据"
            value={made ? 'made' : 'real'}
            onChange={v => setMade(v === 'made')}
            options={[
              { value: 'real', label: '最近一张' },
              { value: 'made', label: '样例' },
            ]}
          />
        ) : (
          <span>预览（样例数据）</span>
        )}
        <small>
          {w}
          {h === undefined ? '' : ` × ${h}`} mm
        </small>
        <span className="spring" />
        {setting.copies > 1 && (
          <Segmented
            size="small"
            aria-label="第几联"
            value={at}
            onChange={v => setCopy(v)}
            options={Array.from({ length: setting.copies }, (_, n) => ({
              value: n,
              label: setting.copyNames?.[n] ?? `第 ${n + 1} 联`,
            }))}
          />
        )}
      </header>
      <div className="print-fit" style={{ '--w': w } as CSSProperties}>
        <PrintSheet setting={setting} content={content} copy={at} />
      </div>
    </div>
  )
}

interface TemplateVersion {
  readonly id: number
  readonly paper: Partial<PrintSetting>
}

/** Earlier versions, to be looked at and taken up again. */
function TemplateVersions({
  kind,
  estateCode,
  onChoose,
}: {
  readonly kind: DocType
  readonly estateCode: string | undefined
  readonly onChoose: (e: TemplateVersion) => void
}) {
  const list =
    useCall(
      listPrintTemplateVersions,
      { docType: kind, ...(estateCode ? { estateCode } : {}) },
      { quiet: true, project: 0, staleMs: 0 },
    ).data ?? []
  return list.length ? (
    <Select
      size="small"
      className="print-editions"
      aria-label="版本"
      placeholder={`版本（${list.length}）`}
      value={null}
      options={list.map(e => ({
        value: e.id,
        label: `${e.savedAt.slice(0, 16)} ${e.savedBy ?? '打印时留存'}`,
      }))}
      onChange={id => {
        const e = list.find(x => x.id === id)
        if (e) {
          onChoose({ id: e.id, paper: e.paper as Partial<PrintSetting> })
        }
      }}
    />
  ) : null
}

const clearedFields = Object.fromEntries(
  ['logo', 'labels', 'header', 'footer', 'copyNames'].map(k => [k, undefined]),
)

/**
 * How each kind of document is printed, of the company or of the chosen project, with the sheet beside it.
 */
export default function PrintSettings() {
  const [at, setAt] = useSearchParams()
  const may = usePermission()
  const chosen = useSession(s => s.project)
  const own = chosen && chosen.code !== '0' ? chosen : undefined
  const estateCode = own && at.get('of') === 'estate' ? own.code : undefined
  const where = estateCode ? { estateCode } : {}
  const asked = useCall(listPrintSettings, where, { quiet: true, project: 0, staleMs: 0 })
  // What no module prints has no template.
  const lent = printPreviewSources.useAll()
  const kinds = docTypes.filter(k => lent.some(s => s.kind === k))
  const kind = kinds.find(k => k === at.get('doc')) ?? 'receipt'
  const [anew, setAnew] = useState<{ readonly turn: number; readonly from: Partial<PrintSetting> }>()
  const open = (doc: DocType, of: boolean): void => {
    setAnew(undefined)
    setAt({ doc, ...(of ? { of: 'estate' } : {}) }, { replace: true })
  }
  if (asked.isError) return <ErrorState error={asked.error} onRetry={() => void asked.refetch()} />
  if (!asked.data || !kinds.length) return <RowSkeleton rows={8} />
  const is = asked.data.find(s => s.docType === kind)!
  const edits = may(menu.print.permissions.edit)
  const isOwn = (s: typeof is): boolean => s.id !== undefined && (s.estateCode ?? undefined) === estateCode
  // 恢复默认 and an earlier version go into the form; nothing is changed before it is saved.
  const { createTime: _c, updateTime: _u, companyName, companyLogo, estateName, ...saved } = is
  const initial = {
    ...saved,
    ...(anew ? { ...clearedFields, ...anew.from } : {}),
    estateCode,
    ...(isOwn(is) ? {} : { id: undefined, version: undefined }),
  }
  const heading = { companyName, companyLogo, estateName }
  const take = (from: Partial<PrintSetting>): void => setAnew(was => ({ turn: (was?.turn ?? 0) + 1, from }))
  const drop = async (): Promise<void> => {
    if (
      !(await confirm({
        title: `停用本项目的「${labelOf(docType, kind)}」模板`,
        text: '以后按公司模板打印；已经打印过的单据补打时仍是原来的样子',
        okLabel: '停用',
      }))
    )
      return
    try {
      await sendAndInvalidate(deletePrintSetting, { docType: kind, ...where })
      setAnew(undefined)
      await asked.refetch()
    } catch {
      /* told in a toast */
    }
  }
  return (
    <div className="print-page">
      <nav aria-label="单据">
        {own && (
          <Segmented
            block
            size="small"
            aria-label="适用范围"
            value={estateCode ? 'estate' : 'company'}
            onChange={v => open(kind, v === 'estate')}
            options={[
              { value: 'company', label: '公司' },
              { value: 'estate', label: '本项目' },
            ]}
          />
        )}
        {kinds.map(k => {
          const s = asked.data.find(x => x.docType === k)!
          return (
            <button
              type="button"
              key={k}
              aria-current={k === kind ? 'page' : undefined}
              onClick={() => open(k, estateCode !== undefined)}
            >
              {labelOf(docType, k)}
              {isOwn(s) ? null : <small>{estateCode && s.id !== undefined ? '公司' : '默认'}</small>}
            </button>
          )
        })}
      </nav>
      {edits ? (
        <FormPage
          key={`${kind} ${estateCode ?? ''} ${is.version} ${isOwn(is)} ${anew?.turn ?? 0}`}
          shape={savePrintSetting.input}
          groups={getFieldGroups(kind)}
          initial={initial}
          title={
            <>
              {estateCode ? `${own!.name} · ` : ''}
              {labelOf(docType, kind)}
              <Button
                size="small"
                type="text"
                onClick={() => take({ ...getDefaultPrintSetting(kind), footer: printDefaults[kind].footer! })}
              >
                恢复默认
              </Button>
              {estateCode && isOwn(is) && (
                <Button size="small" type="text" onClick={() => void drop()}>
                  停用本项目模板
                </Button>
              )}
              <TemplateVersions
                kind={kind}
                estateCode={estateCode}
                onChoose={e => {
                  const { docType: _d, estateCode: _e, ...paper } = e.paper
                  take(paper)
                }}
              />
            </>
          }
          rules={v => findPrintFaults(v as PrintSetting)}
          save={v =>
            sendAndInvalidate(
              savePrintSetting,
              { ...v, docType: kind, ...where, ...(isOwn(is) ? { version: is.version } : {}) },
              { quiet: true },
            )
          }
          loadCurrent={async () =>
            (await send(listPrintSettings, where, { project: 0 })).find(s => s.docType === kind)
          }
          aside={v => {
            const s = { ...is, ...clearedFields, ...v, docType: kind, ...heading } as Partial<PrintSetting>
            return isPrintable(s) ? (
              <Preview setting={s} project={own?.code} />
            ) : (
              <p className="print-wait">纸张与边距填对以后显示预览</p>
            )
          }}
          onDone={() => {
            toast.success(`已保存「${labelOf(docType, kind)}」的打印设置`)
            setAnew(undefined)
            void asked.refetch()
          }}
        />
      ) : (
        <div className="print-only">
          <Preview setting={is as PrintPaper} project={own?.code} />
        </div>
      )}
    </div>
  )
}
