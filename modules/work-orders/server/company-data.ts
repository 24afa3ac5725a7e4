import { type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    work_order_duty: {
      label: '接单状态',
      columns: {
        manager_id: '接单人编号',
        is_paused: '暂停接单',
        paused_until: '暂停至',
        reason: '原因',
        last_turn: '上次轮到',
        last_dispatch_time: '上次派单时间',
      },
    },
    work_order_person: {
      label: '工单参与人',
      columns: {
        project_code: '项目',
        order_id: '工单编号',
        manager_id: '管理员编号',
        is_unread: '未读',
      },
    },
    work_order_setting: { label: '工单设置', columns: { key: '设置', enabled: '启用', value: '值' } },
    work_order_warning_sent: {
      label: '已发预警',
      columns: {
        project_code: '项目',
        order_id: '工单编号',
        warning_id: '预警编号',
        entered: '进入阶段时间',
        sent_time: '发送时间',
      },
    },
  },
}
