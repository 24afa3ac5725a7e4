import type { Action } from '#kit/web/action.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { revokeApiKey, type ApiKey } from '../contract/api-key.ts'
import { menu, paths } from '../module.ts'

const { permissions } = menu.key

export const openKey = ({ id }: Pick<ApiKey, 'id'>): void => navigateTo(`${paths.keyDetail}?id=${id}`)

const revoked = (row: ApiKey): string | undefined => (row.state === 'revoked' ? '密钥已吊销' : undefined)

export const editAction = (row: ApiKey): Action => ({
  label: '编辑',
  needs: permissions.edit,
  disabledReason: revoked(row),
  run: () => navigateTo(`${paths.keyForm}?id=${row.id}`),
})

export const revokeAction = (row: ApiKey): Action => ({
  label: '吊销',
  needs: permissions.revoke,
  danger: true,
  disabledReason: revoked(row),
  run: () =>
    confirmAndSend(revokeApiKey, {
      actionLabel: '吊销',
      unit: '个接口密钥',
      title: `吊销接口密钥「${row.name}」`,
      consequences: ['使用此密钥的程序立即无法调用', '不能恢复，需要时新增密钥'],
      reason: { presets: ['密钥可能泄露', '不再使用', '更换密钥'] },
      confirmText: row.name,
      input: { id: row.id },
      doneText: `已吊销「${row.name}」`,
    }),
})
