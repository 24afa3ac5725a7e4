import { ListPage } from '#kit/web/list/list-page.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { apiKey, listApiKeys } from '../contract/api-key.ts'
import { menu, paths } from '../module.ts'
import { editAction, openKey, revokeAction } from './api-key-actions.tsx'
import { apiKeyColumns, apiKeyGroups, KeyStatus } from './api-key-columns.tsx'

const views = [
  { id: '', name: '有效', filter: { state: ['valid'] } },
  { id: 'revoked', name: '已吊销', filter: { state: ['revoked'] } },
  { id: 'all', name: '全部', filter: {} },
]

/** 接口密钥: the keys of the company, by whom they were made and how they are used. */
export default function ApiKeyListPage() {
  return (
    <ListPage
      list={listApiKeys}
      itemName="接口密钥"
      columns={apiKeyColumns}
      filters={['creatorId', 'expireDate']}
      barFilters={['creatorId']}
      views={views}
      keywordPlaceholder="名称、密钥开头"
      primaryAction={{
        label: '新增接口密钥',
        needs: menu.key.permissions.add,
        run: () => navigateTo(paths.keyForm),
      }}
      rowActions={row => [{ label: '详情', run: () => openKey(row) }, editAction(row), revokeAction(row)]}
      isDimmed={row => row.state === 'revoked'}
      drawer={{
        title: row => row.name,
        status: row => <KeyStatus apiKey={row} />,
        groups: apiKeyGroups,
        historyEntity: apiKey.name,
        actions: row => [editAction(row), revokeAction(row)],
        openAsPage: openKey,
      }}
    />
  )
}
