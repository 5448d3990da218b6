import type { FastifyRequest } from 'fastify'
import { accountRefusal } from '../../domain/access.ts'
import { DomainError, type ErrorCode } from '../../domain/errors.ts'

const messages: Partial<Record<ErrorCode, string>> = {
  TENANT_SUSPENDED: 'This account is suspended.',
  SUBSCRIPTION_CANCELLED: 'The subscription of this account was cancelled.',
  SUBSCRIPTION_PAST_DUE: 'A payment for this account is overdue.',
  MODULE_NOT_ENABLED: 'Online booking is not enabled for this account.',
}

/** Refuses callers whose tenant may not be served, reads included (decision 29). */
export function checkAccount({ caller }: FastifyRequest): void {
  const refusal = accountRefusal(caller.tenant)
  if (refusal !== undefined) throw new DomainError(refusal, messages[refusal] ?? refusal)
}
