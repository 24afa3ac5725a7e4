import { Segmented } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cssVariables } from '#kit/web/css-variables.ts'
import { usePermission } from '#kit/web/session.ts'
import { findPrintFaults, getPaperDimensions, type PrintSetting } from '../domain/print-settings.ts'
import { printPreviewSources } from './print-preview-sources.ts'
import { sampleContents } from './print-samples.ts'
import { PrintSheet, type PrintPaper } from './print-sheet.tsx'

/** Whether a half-edited setting names its paper and has its numbers; its title may be missing. */
const hasMeasures = (v: Partial<PrintSetting>): v is PrintSetting =>
  [v.marginTop, v.marginRight, v.marginBottom, v.marginLeft, v.fontSize, v.copies].every(
    n => typeof n === 'number' && Number.isInteger(n) && n >= 0,
  ) && typeof v.paperSize === 'string'

/** Whether a half-edited setting has all that a sheet needs and fits its paper. */
export const isPrintable = (values: Partial<PrintSetting>): values is PrintPaper =>
  hasMeasures(values) &&
  values.fontSize >= 7 &&
  values.fontSize <= 16 &&
  values.copies >= 1 &&
  values.copies <= 6 &&
  !Object.keys(findPrintFaults({ ...values, title: values.title ?? '' })).some(k => k.startsWith('margin'))

/** A setting on its sheet, with the newest real document where there is one, else with sample data. */
export function PrintPreview({
  setting,
  project,
}: {
  readonly setting: PrintPaper
  readonly project: string | undefined
}) {
  const [copy, setCopy] = useState(0)
  const [width, height] = getPaperDimensions(setting)
  const at = Math.min(copy, setting.copies - 1)
  const [made, setMade] = useState(false)
  const kind = setting.docType
  const hasPermission = usePermission()
  const find = printPreviewSources
    .useAll()
    .find(source => source.kind === kind && source.needs.every(hasPermission))?.newest
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
    <div className="print-preview-body">
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
          {width}
          {height === undefined ? '' : ` × ${height}`} mm
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
      <div className="print-fit" style={cssVariables({ '--w': width })}>
        <PrintSheet setting={setting} content={content} copy={at} />
      </div>
    </div>
  )
}
