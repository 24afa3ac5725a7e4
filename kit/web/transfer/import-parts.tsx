import { defined } from '#kit/domain/defined.ts'
import { DownloadOutlined } from '@ant-design/icons'
import { Button, Steps } from 'antd'
import type { ReactNode } from 'react'
import type { ImportCalls } from '#kit/contract/import-export.ts'
import { useAllowedActions, type Action } from '../action.tsx'
import { formatCount } from '../numbers.tsx'
import { download } from '../send.ts'
import { CheckResultStep, ChooseFileStep, ImportTaskStep } from './import-steps.tsx'
import { useImport, type ImportState } from './use-import.ts'
import './transfer.css'

export interface ImportProps {
  readonly spec: ImportCalls
  readonly itemName: string
  readonly input: Readonly<Record<string, unknown>>
  readonly onClose: () => void
  /** What usually follows the import. */
  readonly nextStep?: Action | false | undefined
}

function CheckedButtons({
  state,
  onDownloadFaults,
}: {
  readonly state: ImportState
  readonly onDownloadFaults: (importId: string) => void
}) {
  const { result, progress } = state
  const blocked = result && !result.good ? '无可导入的行' : undefined
  return (
    <>
      <Button
        type="primary"
        disabled={blocked !== undefined || progress !== undefined}
        title={blocked}
        loading={state.isStarting || progress !== undefined}
        onClick={() => void state.begin()}
      >
        导入 {formatCount(result?.good ?? 0)} 行
      </Button>
      {(result?.errorCount ?? 0) > 0 && (
        <Button
          icon={<DownloadOutlined />}
          onClick={() => onDownloadFaults(defined(defined(result).importId))}
        >
          下载错误行
        </Button>
      )}
    </>
  )
}

interface ImportParts {
  readonly state: ImportState
  readonly body: ReactNode
  readonly buttons: ReactNode
}

/** Three steps: template, check, import. Nothing is written before the last (IMP-1). */
export function useImportParts({ spec, itemName, input, onClose, nextStep }: ImportProps): ImportParts {
  const state = useImport(spec, input)
  const { step, progress, result, task, tasks, isEnded } = state
  const [next] = useAllowedActions()([nextStep])
  const downloadFaults = (importId: string): void =>
    void download(spec.faults, { importId }, `${itemName}导入错误.xlsx`).catch(() => undefined)
  const drawStep = () => {
    if (step === 0) return <ChooseFileStep state={state} spec={spec} itemName={itemName} input={input} />
    if (step === 1)
      return (
        result && (
          <CheckResultStep state={state} result={result} modeLabel={spec.post.input.fields.mode?.label} />
        )
      )
    return <ImportTaskStep state={state} />
  }
  const buttons = (
    <div className="footer-actions">
      {step === 1 && <CheckedButtons state={state} onDownloadFaults={downloadFaults} />}
      {step === 2 && isEnded && (
        <Button type="primary" onClick={onClose}>
          完成
        </Button>
      )}
      {step === 2 && !isEnded && task && <Button onClick={() => void tasks?.stop(task.id)}>停止</Button>}
      {step === 2 && isEnded && next && (
        <Button
          onClick={() => {
            onClose()
            void next.run()
          }}
        >
          {next.label}
        </Button>
      )}
      <span className="spring" />
      {!(step === 2 && isEnded) && <Button onClick={onClose}>{step === 2 ? '后台继续' : '关闭'}</Button>}
    </div>
  )
  const body = (
    <div className="import">
      <Steps
        size="small"
        current={step === 0 && progress === undefined ? 0 : Math.max(1, step)}
        items={[{ title: '下载模板' }, { title: '上传校验' }, { title: '确认导入' }]}
      />
      {state.error && (
        <div className="form-band bad" role="alert">
          {state.error}
        </div>
      )}
      {drawStep()}
    </div>
  )
  return { state, body, buttons }
}
