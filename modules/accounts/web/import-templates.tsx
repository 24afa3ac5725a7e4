import { defined } from '#kit/domain/defined.ts'
import { useState } from 'react'
import { Button } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { pathOf, type Call } from '#kit/contract/call.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { download } from '#kit/web/send.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { useHost } from '#kit/web/shell/host.ts'
import { exportPermissionReport } from '../contract/role.ts'
import { menu } from '../module.ts'
import './accounts.css'

interface ImportTemplate {
  readonly key: string
  readonly name: string
  readonly call: Call
  readonly asksProject: boolean
  readonly path: string | undefined
}

interface ProductDocument {
  readonly key: string
  readonly name: string
  readonly message: string
  readonly actionLabel: string
  readonly run: () => unknown
}

interface DocumentListProps {
  readonly documents: readonly ProductDocument[]
  /** The one that is being fetched. */
  readonly busy: string
}

const DocumentList = ({ documents, busy }: DocumentListProps) => (
  <section>
    <h2>资料</h2>
    <ul className="guide">
      {documents.map(entry => (
        <li key={entry.key}>
          <span className="what">{entry.name}</span>
          <span className="why">{entry.message}</span>
          <Button loading={busy === entry.key} onClick={entry.run}>
            {entry.actionLabel}
          </Button>
        </li>
      ))}
    </ul>
  </section>
)

/** What a template is called, from the title of its call: `导入房间：下载模板`. */
const getTemplateName = (c: Call): string => c.title.replace(/：.*$/, '').replace(/^导入/, '')

/**
 * Every import's template and the documents of the product in one place, as far as one may (the same right
 * hides the import itself).
 */
export default function ImportTemplates() {
  const host = useHost()
  const hasPermission = usePermission()
  const chosen = useSession(s => s.project?.code ?? s.signed?.nearestProjectCode)
  const projectCode = chosen === '0' ? undefined : chosen
  const [busy, setBusy] = useState('')
  const declared = useQuery({
    queryKey: ['declared-calls'],
    queryFn: () => host.calls(),
    staleTime: Infinity,
  })
  if (declared.isError) return <ErrorState error={declared.error} onRetry={() => void declared.refetch()} />
  if (!declared.data)
    return (
      <div style={{ position: 'relative', height: 320 }}>
        <RowSkeleton rows={6} />
      </div>
    )
  const screenOf = (c: Call): string | undefined => {
    const menuKey = typeof c.needs === 'object' ? c.needs.menu : undefined
    return host.screens.all.find(s => s.group && s.needs?.menu === menuKey && hasPermission(s.needs))?.path
  }
  const templates: readonly ImportTemplate[] = declared.data
    .filter(
      c => /\/GetImportTemplate$/i.test(pathOf(c)) && (typeof c.needs !== 'object' || hasPermission(c.needs)),
    )
    .map(call => ({
      key: call.route,
      name: getTemplateName(call),
      call,
      asksProject: call.input.fields.projectCode?.required === true,
      path: screenOf(call),
    }))
  const fetch = async (key: string, work: () => Promise<unknown>): Promise<void> => {
    setBusy(key)
    try {
      await work()
    } catch {
      /* shown where it failed */
    } finally {
      setBusy('')
    }
  }
  const documents = [
    hasPermission(menu.role.permissions.export) && {
      key: 'rights',
      name: '权限报表',
      message: '每个账号的菜单和操作权限',
      run: () => void fetch('rights', () => download(exportPermissionReport, undefined, '权限报表.xlsx')),
      actionLabel: '下载',
    },
    hasPermission(menu.company.permissions.secret) && {
      key: 'api',
      name: '接口文档',
      message: '供公司其他系统对接：各接口的地址、参数和返回',
      run: () => window.open('/api/docs', '_blank', 'noopener'),
      actionLabel: '打开',
    },
    hasPermission(menu.company.permissions.secret) && {
      key: 'openapi',
      name: '接口定义（OpenAPI）',
      message: '供开发工具读取',
      run: () => window.open('/api/openapi.json', '_blank', 'noopener'),
      actionLabel: '打开',
    },
  ].filter(p => p !== false)
  return (
    <div className="sheet-page">
      <section>
        <h2>导入模板</h2>
        <p className="lead">
          {templates.length
            ? '模板按当前项目生成，内含填写说明和可选项，填写后在对应页面导入。'
            : '暂无可用的导入模板，请联系管理员授予导入权限。'}
        </p>
        <ul className="guide">
          {templates.map(template => (
            <li key={template.key}>
              <span className="what">{template.name}导入模板</span>
              <span className="why">
                {template.asksProject && !projectCode ? '先在顶部选择一个项目' : ''}
              </span>
              {template.path && <Button onClick={() => navigateTo(defined(template.path))}>导入数据</Button>}
              <Button
                type="primary"
                loading={busy === template.key}
                disabled={template.asksProject && !projectCode}
                onClick={() =>
                  void fetch(template.key, () =>
                    download(
                      template.call,
                      projectCode && template.call.input.fields.projectCode ? { projectCode } : {},
                      `${template.name}导入模板.xlsx`,
                    ),
                  )
                }
              >
                下载模板
              </Button>
            </li>
          ))}
        </ul>
      </section>
      {documents.length > 0 && <DocumentList documents={documents} busy={busy} />}
    </div>
  )
}
