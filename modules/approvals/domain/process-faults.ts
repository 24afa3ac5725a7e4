import type { Fields } from '#kit/contract/field.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import type { FormField } from '../contract/form-field.ts'
import type { FlowNode, Process } from '../contract/process.ts'
import { conditionFault } from './conditions.ts'

const needed: Record<FlowNode['rule'], (node: FlowNode) => string | undefined> = {
  people: node => (node.managerIds?.length ? undefined : '请选择审批人'),
  role: node => (node.roleIds?.length ? undefined : '请选择角色'),
  departmentHead: node => (node.levels ? undefined : '请填写负责人层级'),
  requesterChoice: () => undefined,
  group: node => (node.departmentIds?.length || node.tags?.length ? undefined : '请选择部门或员工标签'),
}

const repeated = (keys: readonly string[]): boolean => new Set(keys).size < keys.length

function nodeFaults(node: FlowNode, i: number, fields: Fields): FieldFault[] {
  const fault = needed[node.rule](node)
  const conditions = (node.conditions ?? []).flatMap((condition, j) => {
    const message = conditionFault(fields, condition)
    return message ? [{ Field: `NodesJson[${i}].Conditions[${j}].Value`, Message: message }] : []
  })
  return fault ? [{ Field: `NodesJson[${i}].ApproverKind`, Message: fault }, ...conditions] : conditions
}

/** Nodes that leave the approver to requesters who are not asked: every request would be refused. */
export const choiceFaults = (nodes: readonly FlowNode[]): FieldFault[] =>
  nodes.flatMap(({ rule }, i) =>
    rule === 'requesterChoice'
      ? [
          {
            Field: `NodesJson[${i}].ApproverKind`,
            Message: '该业务的申请不能由申请人自选审批人，请改用其他方式',
          },
        ]
      : [],
  )

function formFieldFault(field: FormField): string | undefined {
  if (field.fieldKind === 'choice' && !field.options?.length) return `「${field.label}」请填写选项`
  return /^[A-Za-z][A-Za-z0-9]*$/.test(field.key) ? undefined : '字段编号应为字母开头的字母与数字'
}

/** What is wrong with a definition, beyond what its fields say (APR-1). */
export function processFaults(
  {
    bizType,
    nodes,
    emptyPolicy,
    formFields = [],
  }: Pick<Process, 'bizType' | 'nodes' | 'emptyPolicy' | 'formFields'>,
  fields: Fields,
  isMoney: boolean,
): FieldFault[] {
  const faults = nodes.flatMap((node, i) => nodeFaults(node, i, fields))
  if (repeated(nodes.map(node => node.key))) {
    faults.push({ Field: 'NodesJson', Message: '节点编号重复，请重新添加节点' })
  }
  if (isMoney && emptyPolicy === 'pass') {
    faults.push({ Field: 'EmptyPolicy', Message: '涉及资金的审批不能自动通过，请选择其他处理' })
  }
  if (bizType !== 'general') return faults
  if (!formFields.length) {
    faults.push({ Field: 'FormFields', Message: '请至少添加一个表单字段' })
  }
  if (repeated(formFields.map(field => field.key)) || repeated(formFields.map(field => field.label))) {
    faults.push({ Field: 'FormFields', Message: '表单字段的编号或名称重复' })
  }
  return [
    ...faults,
    ...formFields.flatMap((field, i) => {
      const message = formFieldFault(field)
      return message ? [{ Field: `FormFields[${i}].Label`, Message: message }] : []
    }),
  ]
}
