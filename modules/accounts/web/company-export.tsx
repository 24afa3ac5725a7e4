import { Button } from 'antd'
import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { formatFileSize } from '#kit/contract/text.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useCall } from '#kit/web/query.ts'
import { download, send } from '#kit/web/send.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import { taskState } from '#modules/system/contract/task.ts'
import { downloadCompanyExport, listCompanyExports, startCompanyExport } from '../contract/company-export.ts'
import { CurrentPasswordControl } from './current-password-control.tsx'

const refetchMs = 2000
/** A zip of gigabytes takes its time. */
const downloadTimeoutMs = 3_600_000
const isOpen = (state: string): boolean => state === 'waiting' || state === 'running'

type CompanyExport = Awaited<ReturnType<typeof loadExports>>[number]
const loadExports = () => send(listCompanyExports, undefined)

/** What becomes of one export, and its file as long as it is kept. */
function ExportRow({ row }: { readonly row: CompanyExport }) {
  const [loading, setLoading] = useState(false)
  const fetchFile = async (): Promise<void> => {
    setLoading(true)
    try {
      const name = await download(downloadCompanyExport, { id: row.id }, undefined, {
        timeout: downloadTimeoutMs,
      })
      toast.success(`已下载「${name}」`)
    } finally {
      setLoading(false)
    }
  }
  const progress = isOpen(row.state) && row.total ? `${row.done} / ${row.total} ${row.note ?? ''}` : undefined
  return (
    <div>
      <dt>{row.operatorName}</dt>
      <dd>
        {row.createTime.slice(0, 16)} <ChoiceStatus choices={taskState} value={row.state} />{' '}
        {progress ?? row.message}{' '}
        {row.hasFile && (
          <Button size="small" loading={loading} onClick={() => void fetchFile()}>
            下载（{formatFileSize(row.fileSize)}，保留至 {row.expireTime?.slice(0, 10)}）
          </Button>
        )}
        {row.state === 'done' && !row.hasFile && <span className="absent">文件已过保留期</span>}
      </dd>
    </div>
  )
}

/** Everything the company owns as open files, to take away or to move to another installation. */
export function CompanyExportSection() {
  const [asking, setAsking] = useState(false)
  const [isWatching, setWatching] = useState(true)
  const query = useCall(listCompanyExports, undefined, {
    quiet: true,
    project: 0,
    staleMs: 0,
    ...(isWatching ? { refetchMs } : {}),
  })
  const exports = query.data ?? []
  const running = exports.some(row => isOpen(row.state))
  if (query.data && running !== isWatching) {
    setWatching(running)
  }
  return (
    <section>
      <h2>
        导出公司全部数据
        <span className="spring" />
        <Button disabled={running} onClick={() => setAsking(true)}>
          {running ? `${labelOf(taskState, 'running')}…` : '导出'}
        </Button>
      </h2>
      <p className="lead">
        全部记录（含已删除的）与上传的文件，打包为 CSV 与原文件，可离线查看，也可导入到另一套安装。
        密码、密钥、指纹等不在其中。文件保留 7 天，请妥善保管。
      </p>
      {query.isError && <p role="alert">{query.error.message}</p>}
      {exports.length > 0 && (
        <dl>
          {exports.map(row => (
            <ExportRow key={row.id} row={row} />
          ))}
        </dl>
      )}
      {asking && (
        <EditDialog
          shape={startCompanyExport.input}
          draftKey={undefined}
          title="导出公司全部数据"
          submitLabel="导出"
          groups={[
            {
              keys: [
                {
                  key: 'password',
                  control: CurrentPasswordControl,
                  help: '导出的文件未加密，含全部住户与员工的个人信息；导出与下载都记入变更记录',
                },
              ],
            },
          ]}
          save={v => send(startCompanyExport, v, { quiet: true })}
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false)
            setWatching(true)
            toast.success('已开始导出，可离开此页，进度见任务中心')
            void query.refetch()
          }}
        />
      )}
    </section>
  )
}
