import type { Id } from '#kit/domain/id.ts'
import { Select } from 'antd'
import { useCall } from '#kit/web/query.ts'
import { listPrintTemplateVersions } from '../contract/print-settings.ts'
import type { DocType, PrintSetting } from '../domain/print-settings.ts'

interface TemplateVersion {
  readonly id: Id
  readonly paper: Partial<PrintSetting>
}

/** Earlier versions; choosing one puts it into the form. */
export function TemplateVersions({
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
      onChange={(id: Id) => {
        const version = list.find(candidate => candidate.id === id)
        if (version) {
          onChoose({ id: version.id, paper: version.paper })
        }
      }}
    />
  ) : null
}
