import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { z } from 'zod'
import { leavesOf, nameOf } from '../terminal/help.ts'

type Leaf = CommandUnknownOpts & { readonly output?: z.ZodType }

/**
 * Returns the JSON Schema of what each command prints with --json, published as
 * `public/cli.schema.json`.
 * @param strict whether the schemas reject unknown fields. Readers must accept unknown fields, which
 * a later release may add.
 */
export function outputSchemas(program: CommandUnknownOpts, { strict }: { strict: boolean }) {
  const override = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    if (!strict && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    if (jsonSchema.format !== undefined) delete jsonSchema.pattern
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    delete jsonSchema.default
  }
  const schemas = leavesOf(program).flatMap((leaf: Leaf) => {
    if (leaf.output === undefined) return []
    const { $schema: _, ...schema } = z.toJSONSchema(leaf.output, {
      unrepresentable: 'any',
      override,
    })
    return [[nameOf(leaf), schema] as const]
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'What rental prints with --json',
    description:
      'One definition for each command. Instants are in UTC; amounts are decimal strings.',
    $defs: Object.fromEntries(schemas),
  }
}
