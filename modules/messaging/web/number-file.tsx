import { Button } from 'antd'
import { useRef, useState } from 'react'
import { asId } from '#kit/domain/id.ts'
import { toError } from '#kit/domain/to-error.ts'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { download } from '#kit/web/send.ts'
import { FaultTable } from '#kit/web/transfer/fault-table.tsx'
import { upload } from '#kit/web/upload.ts'
import {
  downloadNumberFaults,
  downloadNumbersTemplate,
  getNumbers,
  numberFileLimits,
  uploadNumbers,
  type NumberFile,
} from '../contract/number-file.ts'
import { audienceVariables, variablesText } from '../domain/template.ts'

const limitsText =
  `xlsx、xls、csv，不超过 ${numberFileLimits.bytes / 1024 / 1024} MB、` +
  `${formatCount(numberFileLimits.rows)} 行；列：手机号（必填）、姓名、房屋，其余各列为变量`

const saveFile = (promise: Promise<unknown>): void => void promise.catch(() => undefined)

/** What the file has, and which of its lines get no message. */
function FileSummary({ file }: { readonly file: NumberFile }) {
  const { hasRoom, variables = [] } = file
  const usable = audienceVariables(
    { scopeType: 'numbers', scopeJson: { numberFileId: file.id } },
    { hasRoom, variables },
  )
  const faultCount = file.wrongCount + file.repeatCount + file.gapCount
  return (
    <div aria-live="polite">
      <p>
        {file.fileName}：{formatCount(file.rowCount)} 行，有错误 {formatCount(file.wrongCount)} 行，重复{' '}
        {formatCount(file.repeatCount)} 行，变量没有内容 {formatCount(file.gapCount)} 行；保存至{' '}
        {file.expireTime.slice(0, 16)}
      </p>
      <p>内容中可用变量：{variablesText(usable)}</p>
      {faultCount > 0 && (
        <>
          <FaultTable
            rows={file.faults}
            total={faultCount}
            note="有错误、重复的行不发送；变量没有内容的行，短信用到该变量时不发送"
          />
          <Button
            size="small"
            onClick={() => saveFile(download(downloadNumberFaults, { id: file.id }, '号码文件错误行.xlsx'))}
          >
            下载错误行
          </Button>
        </>
      )}
    </div>
  )
}

/** Own numbers from a sheet: the template, the file, and what is wrong in it before anything is sent. */
export function NumberFileMember(props: ControlProps) {
  const fileInput = useRef<HTMLInputElement>(null)
  const [progress, setProgress] = useState<number>()
  const [fault, setFault] = useState<string>()
  const id = typeof props.value === 'number' ? asId(props.value) : undefined
  const { data: file, error } = useCall(
    getNumbers,
    { id: id ?? 0 },
    { quiet: true, project: 0, enabled: id !== undefined },
  )
  const takeFile = async (chosen: File | undefined): Promise<void> => {
    if (!chosen) return
    setFault(undefined)
    setProgress(0)
    try {
      const uploaded = await upload(uploadNumbers, undefined, chosen, {
        quiet: true,
        onProgress: setProgress,
      })
      props.onChange(uploaded.id)
    } catch (failure) {
      setFault(toError(failure).message)
    } finally {
      setProgress(undefined)
    }
  }
  const label = progress !== undefined && progress < 1 ? `上传 ${Math.round(progress * 100)}%` : '选择文件'
  const problem = fault ?? (id !== undefined && error ? toError(error).message : undefined)
  return (
    <div id={props.id} role="group" aria-label={props.field.label} className="number-file">
      <Button
        disabled={props.disabled}
        loading={progress !== undefined}
        onClick={() => fileInput.current?.click()}
      >
        {file ? '更换文件' : label}
      </Button>{' '}
      <Button
        type="link"
        onClick={() => saveFile(download(downloadNumbersTemplate, undefined, '号码文件模板.xlsx'))}
      >
        下载模板
      </Button>
      {id !== undefined && (
        <Button type="link" disabled={props.disabled} onClick={() => props.onChange(undefined)}>
          移除文件
        </Button>
      )}
      <input
        ref={fileInput}
        type="file"
        hidden
        aria-label="选择号码文件"
        accept=".xlsx,.xls,.csv"
        onChange={event => {
          void takeFile(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <small>{limitsText}</small>
      {problem && <p role="alert">{problem}</p>}
      {file && id !== undefined && <FileSummary file={file} />}
    </div>
  )
}
