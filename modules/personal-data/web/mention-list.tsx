import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { ErrorState, RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { listMentions, saveMentions, type ErasureRequest } from '../contract/erasure.ts'
import { menu } from '../module.ts'
import './personal-data.css'

type Mention = NonNullable<typeof listMentions.output.T>['mentions'][number]

const keyOf = ({ tableName, rowKey }: Pick<Mention, 'tableName' | 'rowKey'>): string =>
  `${tableName} ${rowKey}`

function MentionRows({
  mentions,
  chosen,
  onChange,
}: {
  readonly mentions: readonly Mention[]
  readonly chosen: ReadonlySet<string>
  readonly onChange: ((chosen: ReadonlySet<string>) => void) | undefined
}) {
  const toggle = (key: string): void => {
    const next = new Set(chosen)
    if (!next.delete(key)) {
      next.add(key)
    }
    onChange?.(next)
  }
  return (
    <div className="privacy-table">
      <table aria-label="疑似记录">
        <thead>
          <tr>
            <th>是本人</th>
            <th>内容</th>
            <th>编号</th>
            <th>摘要</th>
            <th>确认后</th>
          </tr>
        </thead>
        <tbody>
          {mentions.map(each => (
            <tr key={keyOf(each)}>
              <td>
                <Checkbox
                  aria-label={`${each.label} ${each.number} 是本人`}
                  checked={chosen.has(keyOf(each))}
                  disabled={!onChange}
                  onChange={() => toggle(keyOf(each))}
                />
              </td>
              <td className="fixed">{each.label}</td>
              <td className="fixed">{each.number}</td>
              <td>{each.content}</td>
              <td className="fixed">{each.isOwn ? '整条处理' : '只替换姓名、号码'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function MentionForm({
  request,
  mentions,
}: {
  readonly request: ErasureRequest
  readonly mentions: readonly Mention[]
}) {
  const hasPermission = usePermission()
  const isOpen = request.state === 'open' && hasPermission(menu.erasure.permissions.edit)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(mentions.filter(each => each.isConfirmed).map(keyOf)),
  )
  const saving = useSend(saveMentions)
  const save = async (): Promise<void> => {
    const confirmed = mentions
      .filter(each => chosen.has(keyOf(each)))
      .map(({ tableName, rowKey }) => ({ tableName, rowKey }))
    try {
      await saving.mutateAsync({ id: request.id, mentions: confirmed })
      toast.success('已保存核对结果，可以审批')
    } catch {
      /* shown as a toast */
    }
  }
  return (
    <>
      <MentionRows mentions={mentions} chosen={chosen} onChange={isOpen ? setChosen : undefined} />
      {isOpen && (
        <div className="bar">
          <span>已确认 {formatCount(chosen.size)} 条</span>
          <span className="spring" />
          <Button onClick={() => setChosen(new Set(mentions.map(keyOf)))}>全选</Button>
          <Button onClick={() => setChosen(new Set())}>全不选</Button>
          <Button type="primary" loading={saving.isPending} onClick={() => void save()}>
            保存核对结果
          </Button>
        </div>
      )}
    </>
  )
}

/** Rows in which the person may be meant: only those that somebody confirms are treated. */
export function MentionList({ request }: { readonly request: ErasureRequest }) {
  const query = useCall(listMentions, { id: request.id }, { quiet: true, project: 0, staleMs: 0 })
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <RowSkeleton rows={4} />
  const { mentions, hasMore } = query.data
  if (!mentions.length) return null
  return (
    <section className="privacy-block">
      <h3>疑似记录</h3>
      <p className="lead">
        以下记录含有相同的姓名或号码，但未与本人关联，可能是其他人。确认是本人的，执行时一并处理；未确认的不处理。
        {hasMore && '每类只列出前 100 条。'}
      </p>
      <MentionForm key={query.dataUpdatedAt} request={request} mentions={mentions} />
    </section>
  )
}
