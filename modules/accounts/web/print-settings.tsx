import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { confirm } from '#kit/web/confirm.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { ErrorState, RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { send } from '#kit/web/send.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import {
  deletePrintSetting,
  docType,
  listPrintSettings,
  savePrintSetting,
} from '../contract/print-settings.ts'
import {
  findPrintFaults,
  getDefaultPrintSetting,
  type DocType,
  type PrintSetting,
} from '../domain/print-settings.ts'
import { menu } from '../module.ts'
import { printPreviewSources } from './print-preview-sources.ts'
import { isPrintable, PrintPreview } from './print-preview.tsx'
import { docTypes, getFieldGroups } from './print-setting-fields.ts'
import { TemplateVersions } from './print-template-versions.tsx'
import './print.css'

const clearedFields = Object.fromEntries(
  ['logo', 'labels', 'header', 'footer', 'copyNames'].map(k => [k, undefined]),
)

interface DocTypeNavProps {
  readonly kinds: readonly DocType[]
  readonly current: DocType
  readonly settings: readonly SavedSetting[]
  readonly isOwn: (s: SavedSetting) => boolean
  /** One project is chosen, so that it may have settings of its own. */
  readonly ownProject: boolean
  readonly estateCode: string | undefined
  readonly onOpen: (kind: DocType, ofProject: boolean) => void
}

type SavedSetting = NonNullable<typeof listPrintSettings.output.T>[number]

/** The kinds of document, with where each one's setting comes from. */
function DocTypeNav({ kinds, current, settings, isOwn, ownProject, estateCode, onOpen }: DocTypeNavProps) {
  return (
    <nav aria-label="单据">
      {ownProject && (
        <Segmented
          block
          size="small"
          aria-label="适用范围"
          value={estateCode ? 'estate' : 'company'}
          onChange={v => onOpen(current, v === 'estate')}
          options={[
            { value: 'company', label: '公司' },
            { value: 'estate', label: '本项目' },
          ]}
        />
      )}
      {kinds.map(kind => {
        const setting = settings.find(candidate => candidate.docType === kind)
        return (
          <button
            type="button"
            key={kind}
            aria-current={kind === current ? 'page' : undefined}
            onClick={() => onOpen(kind, estateCode !== undefined)}
          >
            {labelOf(docType, kind)}
            {setting && isOwn(setting) ? null : (
              <small>{estateCode && setting?.id !== undefined ? '公司' : '默认'}</small>
            )}
          </button>
        )
      })}
    </nav>
  )
}

interface SettingFormProps {
  readonly setting: SavedSetting
  readonly kind: DocType
  /** The project of the settings; undefined for those of the company. */
  readonly estateCode: string | undefined
  readonly project: { readonly code: string; readonly name: string } | undefined
  /** The setting is of this very scope, not one that it inherits. */
  readonly isOwn: boolean
  readonly onChanged: () => Promise<unknown>
}

const confirmDisable = (kind: DocType): Promise<boolean> =>
  confirm({
    title: `停用本项目的「${labelOf(docType, kind)}」模板`,
    text: '以后按公司模板打印；已打印的单据补打时保持原样式',
    okLabel: '停用',
  })

/** The template as a form, with the sheet beside it. */
function SettingForm({ setting, kind, estateCode, project, isOwn, onChanged }: SettingFormProps) {
  // What 恢复默认 or an earlier version puts into the form; nothing is changed before it is saved.
  const [loaded, setLoaded] = useState<{ readonly turn: number; readonly from: Partial<PrintSetting> }>()
  const scope = estateCode ? { estateCode } : {}
  const {
    createTime: _createTime,
    updateTime: _updateTime,
    companyName,
    companyContact,
    companyPhone,
    companyAddress,
    companyLogo,
    estateName,
    ...saved
  } = setting
  const heading = { companyName, companyContact, companyPhone, companyAddress, companyLogo, estateName }
  const initial = {
    ...saved,
    ...(loaded ? { ...clearedFields, ...loaded.from } : {}),
    estateCode,
    ...(isOwn ? {} : { id: undefined, version: undefined }),
  }
  const loadIntoForm = (from: Partial<PrintSetting>): void =>
    setLoaded(before => ({ turn: (before?.turn ?? 0) + 1, from }))
  const loadDefaults = (): void => loadIntoForm(getDefaultPrintSetting(kind))
  const disable = async (): Promise<void> => {
    if (!(await confirmDisable(kind))) return
    try {
      await sendAndInvalidate(deletePrintSetting, { docType: kind, ...scope })
      setLoaded(undefined)
      await onChanged()
    } catch {
      // The sender has shown a toast.
    }
  }
  const drawPreview = (values: Partial<PrintSetting>) => {
    const preview: Partial<PrintSetting> = {
      ...setting,
      ...clearedFields,
      ...values,
      docType: kind,
      ...heading,
    }
    return isPrintable(preview) ? (
      <PrintPreview setting={preview} project={project?.code} />
    ) : (
      <p className="print-wait">纸张与边距填写正确后显示预览</p>
    )
  }
  return (
    <FormPage
      key={`${setting.version} ${isOwn} ${loaded?.turn ?? 0}`}
      shape={savePrintSetting.input}
      draftKey={undefined}
      groups={getFieldGroups(kind)}
      initial={initial}
      title={
        <>
          {estateCode && project ? `${project.name} · ` : ''}
          {labelOf(docType, kind)}
          <Button size="small" type="text" onClick={loadDefaults}>
            恢复默认
          </Button>
          {estateCode && isOwn && (
            <Button size="small" type="text" onClick={() => void disable()}>
              停用本项目模板
            </Button>
          )}
          <TemplateVersions
            kind={kind}
            estateCode={estateCode}
            onChoose={({ paper: { docType: _docType, estateCode: _estateCode, ...paper } }) =>
              loadIntoForm(paper)
            }
          />
        </>
      }
      rules={v => findPrintFaults(v)}
      save={values =>
        sendAndInvalidate(
          savePrintSetting,
          { ...values, docType: kind, ...scope, ...(isOwn ? { version: setting.version } : {}) },
          { quiet: true },
        )
      }
      loadCurrent={async () =>
        (await send(listPrintSettings, scope, { project: 0 })).find(s => s.docType === kind)
      }
      aside={drawPreview}
      onDone={() => {
        toast.success(`已保存「${labelOf(docType, kind)}」的打印设置`)
        setLoaded(undefined)
        void onChanged()
      }}
    />
  )
}

/**
 * How each kind of document is printed, of the company or of the chosen project, with the sheet beside it.
 */
export default function PrintSettings() {
  const [address, setAddress] = useSearchParams()
  const hasPermission = usePermission()
  const chosen = useSession(s => s.project)
  const project = chosen && chosen.code !== '0' ? chosen : undefined
  const estateCode = project && address.get('of') === 'estate' ? project.code : undefined
  const query = useCall(listPrintSettings, estateCode ? { estateCode } : {}, {
    quiet: true,
    project: 0,
    staleMs: 0,
  })
  // What no module prints has no template.
  const sources = printPreviewSources.useAll()
  const kinds = docTypes.filter(k => sources.some(source => source.kind === k))
  const kind = kinds.find(k => k === address.get('doc')) ?? 'receipt'
  const setting = query.data?.find(s => s.docType === kind)
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data || !setting || !kinds.length) return <RowSkeleton rows={8} />
  const isOwn = (s: SavedSetting): boolean => s.id !== undefined && (s.estateCode ?? undefined) === estateCode
  return (
    <div className="print-page">
      <DocTypeNav
        kinds={kinds}
        current={kind}
        settings={query.data}
        isOwn={isOwn}
        ownProject={project !== undefined}
        estateCode={estateCode}
        onOpen={(doc, ofProject) =>
          setAddress({ doc, ...(ofProject ? { of: 'estate' } : {}) }, { replace: true })
        }
      />
      {hasPermission(menu.print.permissions.edit) ? (
        <SettingForm
          key={`${kind} ${estateCode ?? ''}`}
          setting={setting}
          kind={kind}
          estateCode={estateCode}
          project={project}
          isOwn={isOwn(setting)}
          onChanged={query.refetch}
        />
      ) : (
        <div className="print-only">
          <PrintPreview setting={setting} project={project?.code} />
        </div>
      )}
    </div>
  )
}
