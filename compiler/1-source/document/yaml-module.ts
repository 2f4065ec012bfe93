import type * as Yaml from "yaml";

/** What is used of the `yaml` package. It is handed in by a loader, so that a build that never needs it never loads it. */
export type YamlModule = Pick<
  typeof Yaml,
  "Lexer" | "Parser" | "Composer" | "CST" | "isAlias" | "isMap" | "isScalar" | "isSeq"
>;

export type YamlDocument = Yaml.Document.Parsed;
export type YamlError = Yaml.YAMLParseError | Yaml.YAMLWarning;
export type YamlNode = Yaml.ParsedNode;
export type YamlAlias = Yaml.Alias.Parsed;
export type YamlScalar = Yaml.Scalar.Parsed;
export type YamlMap = Yaml.YAMLMap.Parsed;
export type ContentNode = Exclude<YamlNode, YamlAlias>;
