import { asId, type Id } from '#kit/domain/id.ts'
import type { FlowNode } from '../contract/process.ts'
import type { Flow } from './run.ts'

export const nodeOf = (key: string, ids: readonly number[], more: Partial<FlowNode> = {}): FlowNode => ({
  key,
  name: key,
  rule: 'people',
  managerIds: ids.map(String),
  mode: 'all',
  refuseTo: 'end',
  ...more,
})

export const flowOf = (nodes: readonly FlowNode[], more: Partial<Flow> = {}): Flow => ({
  nodes,
  emptyPolicy: 'administrator',
  skipsRepeated: true,
  isMoney: false,
  applicantId: asId(1),
  administrator: asId(9),
  approversOf: node => (node.managerIds ?? []).map(id => asId(Number(id))),
  delegateOf: () => undefined,
  ...more,
})

export const person = (n: number): Id => asId(n)
