import { DownloadOutlined, InboxOutlined } from '@ant-design/icons'
import { Button, Progress, Radio, Tabs } from 'antd'
import { useRef, type DragEvent } from 'react'
import type { ImportCalls, ImportResult } from '#kit/contract/import-export.ts'
import { sheetLimits } from '#kit/contract/sheet.ts'
import { formatCount } from '../numbers.tsx'
import { download } from '../send.ts'
import { FaultTable } from './fault-table.tsx'
import type { ImportState } from './use-import.ts'

const acceptedTypes = sheetLimits.types.map(type => `.${type}`).join(',')

interface ChooseFileProps {
  readonly state: ImportState
  readonly spec: ImportCalls<any>
  readonly itemName: string
  readonly input: Readonly<Record<string, unknown>>
}

/** Step 1: the template, and the file to check. */
export function ChooseFileStep({ state, spec, itemName, input }: ChooseFileProps) {
  const fileInput = useRef<HTMLInputElement>(null)
  const { file, progress } = state
  const takeFile = (files: FileList | null): void => {
    if (files?.[0]) {
      state.checkFile(files[0])
    }
    if (fileInput.current) {
      fileInput.current.value = ''
    }
  }
  const onDrop = (e: DragEvent): void => {
    e.preventDefault()
    takeFile(e.dataTransfer.files)
  }
  const downloadTemplate = (): void =>
    void download(spec.template, input as never, `${itemName}导入模板.xlsx`).catch(() => undefined)
  return (
    <>
      <section>
        <h3>1. 下载模板</h3>
        <p>模板中有填写说明和可选项；已有数据也可以先导出，修改后再导入。</p>
        <Button icon={<DownloadOutlined />} onClick={downloadTemplate}>
          下载模板
        </Button>
      </section>
      <section>
        <h3>2. 上传校验</h3>
        <button
          type="button"
          className="drop"
          disabled={progress !== undefined}
          onClick={() => fileInput.current?.click()}
          onDragOver={e => e.preventDefault()}
          onDrop={onDrop}
        >
          <InboxOutlined />
          <span>
            {progress !== undefined
              ? `正在${progress < 1 ? '上传' : '校验'}「${file?.name}」`
              : '点击选择文件，或拖放文件至此处'}
          </span>
          <small>
            {sheetLimits.types.join('、')}，不超过 {sheetLimits.bytes / 1024 / 1024} MB、
            {formatCount(sheetLimits.rows)} 行；校验不会写入数据
          </small>
        </button>
        <input
          ref={fileInput}
          type="file"
          hidden
          accept={acceptedTypes}
          onChange={e => takeFile(e.target.files)}
        />
        {progress !== undefined && (
          <div className="going">
            <Progress percent={Math.round(progress * 100)} status="active" showInfo={progress < 1} />
            <Button size="small" onClick={state.cancel}>
              取消
            </Button>
          </div>
        )}
      </section>
    </>
  )
}

const faultLists = (result: ImportResult) =>
  [
    {
      key: 'errors',
      label: '错误',
      count: result.errorCount ?? 0,
      rows: result.errors,
      note: '以上行不导入；请修改后重新上传，或先导入其余行',
    },
    {
      key: 'repeated',
      label: '文件内重复',
      count: result.repeatedCount ?? 0,
      rows: result.repeated,
      note: '只导入先出现的一行',
    },
    {
      key: 'existing',
      label: '系统中已有',
      count: result.existingCount ?? 0,
      rows: result.existing,
      note: '按下面选择的方式处理',
    },
    {
      key: 'warnings',
      label: '提醒',
      count: result.warningCount ?? 0,
      rows: result.warnings,
      note: '不影响导入',
    },
  ].filter(list => list.rows?.length)

const countsOf = (result: ImportResult) =>
  [
    ['可导入', result.good, 'done'],
    ['错误', result.errorCount, 'bad'],
    ['文件内重复', result.repeatedCount, 'todo'],
    ['已有（跳过）', result.skippedCount, 'open'],
    ['提醒', result.warningCount, 'todo'],
  ] as const

type UsedHeading = NonNullable<ImportResult['headings']>[number]

/** As it is in the file without our template's star, and what it was taken for where that differs. */
function usedHeadingText({ heading, label }: UsedHeading): string {
  const name = heading.replace(/^\*/, '')
  return label && label !== name ? `${name}（${label}）` : name
}

function UsedHeadings({ result }: { readonly result: ImportResult }) {
  if (!result.headings?.length) return null
  const used = result.headings.filter(h => h.used !== false)
  const ignored = result.headings.filter(h => h.used === false)
  return (
    <>
      <p className="headings">采用的列：{used.map(usedHeadingText).join('、')}</p>
      {ignored.length > 0 && (
        <p className="headings">未采用的列：{ignored.map(h => h.heading).join('、')}（模板中没有该列）</p>
      )}
    </>
  )
}

/** Records that the lines name and that can be added at once. */
function MissingBand({ state, result }: { readonly state: ImportState; readonly result: ImportResult }) {
  const missing = result.missing ?? []
  if (!missing.length || !state.missingLabel) return null
  const isBusy = state.progress !== undefined
  return (
    <div className="form-band" role="alert">
      <span>
        以下{state.missingLabel}不存在：
        {missing.map(record => `${record.name}（${record.note}）`).join('、')}
      </span>
      <span className="spring" />
      <Button size="small" type="primary" loading={isBusy} onClick={() => void state.addMissing()}>
        新增以上 {formatCount(missing.length)} 项并重新校验
      </Button>
    </div>
  )
}

/** Step 2: what the check found, and how to treat what exists already. */
export function CheckResultStep({
  state,
  result,
  modeLabel,
}: {
  readonly state: ImportState
  readonly result: ImportResult
  readonly modeLabel: string | undefined
}) {
  const { modes } = state
  const lists = faultLists(result)
  const modeKeys = Object.keys(modes?.rows ?? {})
  // A mode that was chosen can be left again, even where it makes every known line faulty.
  const isModeChanged = state.mode !== modeKeys[0]
  const asksMode = modes && ((result.existingCount ?? 0) > 0 || modeKeys.length > 2 || isModeChanged)
  return (
    <>
      <div className="scope-line">
        <span>
          「{result.fileName ?? state.file?.name}」共 {formatCount(result.rows ?? 0)} 行
        </span>
        <button type="button" className="linkish" onClick={state.reset}>
          重新选择文件
        </button>
      </div>
      <div className="sums">
        {countsOf(result).map(([label, count, tone]) => (
          <div key={label}>
            <span>{label}</span>
            <b style={count ? { color: `var(--${tone})` } : undefined}>{formatCount(count ?? 0)}</b>
          </div>
        ))}
      </div>
      {result.already && (
        <div className="form-band" role="alert">
          该文件已在 {result.already.slice(0, 16)} 导入过，再次导入请确认文件无误
        </div>
      )}
      <MissingBand state={state} result={result} />
      <UsedHeadings result={result} />
      {lists.length > 0 ? (
        <Tabs
          items={lists.map(list => ({
            key: list.key,
            label: list.count ? `${list.label} ${formatCount(list.count)} 行` : list.label,
            children: <FaultTable rows={list.rows ?? []} total={list.count} note={list.note} />,
          }))}
        />
      ) : (
        <p className="fine">全部 {formatCount(result.rows ?? 0)} 行都可以导入</p>
      )}
      {asksMode && (
        <section>
          <h3 id="import-mode">{modeLabel}</h3>
          <Radio.Group
            aria-labelledby="import-mode"
            vertical
            value={state.mode}
            disabled={state.progress !== undefined}
            onChange={e => state.changeMode(e.target.value)}
            options={Object.entries(modes.rows).map(([value, row]) => ({ value, label: row[1] }))}
          />
        </section>
      )}
    </>
  )
}

/** Step 3: the background task, while it runs and when it has ended. */
export function ImportTaskStep({ state }: { readonly state: ImportState }) {
  const { task, tasks, result } = state
  if (!state.isEnded || !task)
    return (
      <div className="outcome" role="status">
        <p>
          {state.progressUnknown
            ? '暂时无法获取进度，导入仍在后台进行'
            : task
              ? `正在导入 ${formatCount(task.done)} / ${formatCount(task.total ?? result?.good ?? 0)} 行`
              : '已开始导入'}
        </p>
        <Progress percent={task?.total ? Math.floor((task.done / task.total) * 100) : 0} status="active" />
        <p className="quiet">可关闭本窗口，完成后在任务中心查看结果</p>
      </div>
    )
  const figures = `成功 ${formatCount(task.success)}，失败 ${formatCount(task.fail)}，跳过 ${formatCount(task.skipped)}`
  return (
    <div className="outcome" role="status">
      <p className="big">
        {task.label}：{task.message ?? figures}
      </p>
      <div>
        {task.hasResult && (
          <Button icon={<DownloadOutlined />} onClick={() => void tasks?.download(task.id, 'result')}>
            下载结果文件
          </Button>
        )}{' '}
        <Button onClick={state.reset}>继续导入</Button>
      </div>
    </div>
  )
}
