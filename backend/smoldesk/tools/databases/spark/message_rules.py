"""Allow-list of Spark Connect's messages: each message's fields that may pass, with their numbers.

A field without a type is a plain value. `flat3` is a message of plain values in the fields 1 to 3; `drop` is removed,
because the host sets it itself or the server does not need it; other lower-case types are text that the server parses, and
are checked in `plan_check.py`. Other fields are refused: writes, commands, artifacts, streams, functions with code (Python,
Scala, Java), extensions, and those of newer protocols. Parameters of a query are single values and lists of them: Spark
writes them into the query's text, and does not quote the names of a struct's fields. `tests/tools/test_spark_plans.py`
compares names and numbers with PySpark's client.
"""

RULES = """
ExecutePlanRequest: plan=3:Plan session_id=1:drop client_observed_server_side_session_id=8:drop
  user_context=2:drop operation_id=6:drop client_type=4:drop request_options=5:ExecutePlanRequest.RequestOption tags=7:drop
ExecutePlanRequest.RequestOption: reattach_options=1:drop result_chunking_options=2:flat2
Plan: root=1:Relation command=2:Command
Relation: common=1:RelationCommon read=2:Read project=3:Project filter=4:Filter join=5:Join
  set_op=6:SetOperation sort=7:Sort limit=8:Limit aggregate=9:Aggregate sql=10:SQL
  local_relation=11:LocalRelation sample=12:Sample offset=13:Offset deduplicate=14:Deduplicate range=15:flat4
  subquery_alias=16:SubqueryAlias repartition=17:Repartition to_df=18:ToDF
  with_columns_renamed=19:WithColumnsRenamed show_string=20:ShowString drop=21:Drop tail=22:Tail
  with_columns=23:WithColumns hint=24:Hint unpivot=25:Unpivot to_schema=26:ToSchema
  repartition_by_expression=27:RepartitionByExpression parse=30:Parse html_string=35:HtmlString
  as_of_join=39:AsOfJoin with_relations=41:WithRelations transpose=42:Transpose
  unresolved_table_valued_function=43:UnresolvedTableValuedFunction lateral_join=44:LateralJoin
  fill_na=90:NAFill drop_na=91:NADrop replace=92:NAReplace summary=100:StatSummary crosstab=101:StatCrosstab
  describe=102:StatDescribe cov=103:StatCov corr=104:StatCorr approx_quantile=105:StatApproxQuantile
  freq_items=106:StatFreqItems sample_by=107:StatSampleBy catalog=200:Catalog
RelationCommon: plan_id=2 source_info=1:drop origin=3:drop
Read: named_table=1:Read.NamedTable data_source=2:Read.DataSource
Read.NamedTable: unparsed_identifier=1:table options=2:Read.NamedTable.OptionsEntry
Read.NamedTable.OptionsEntry: key=1:option value=2
Read.DataSource: format=1:format schema=2:schema options=3:Read.DataSource.OptionsEntry paths=4:path
Read.DataSource.OptionsEntry: key=1:option value=2
Project: input=1:Relation expressions=3:Expression
Expression: common=18:ExpressionCommon literal=1:Expression.Literal
  unresolved_attribute=2:Expression.UnresolvedAttribute unresolved_function=3:Expression.UnresolvedFunction
  expression_string=4:Expression.ExpressionString unresolved_star=5:Expression.UnresolvedStar
  alias=6:Expression.Alias cast=7:Expression.Cast unresolved_regex=8:flat2 sort_order=9:Expression.SortOrder
  lambda_function=10:Expression.LambdaFunction window=11:Expression.Window
  unresolved_extract_value=12:Expression.UnresolvedExtractValue update_fields=13:Expression.UpdateFields
  unresolved_named_lambda_variable=14:flat1 call_function=16:CallFunction
  named_argument_expression=17:NamedArgumentExpression subquery_expression=21:SubqueryExpression
ExpressionCommon: origin=1:drop
Expression.Literal: null=1:DataType binary=2 boolean=3 byte=4 short=5 integer=6 long=7 float=10 double=11
  decimal=12:flat3 string=13 date=16 timestamp=17 timestamp_ntz=18 calendar_interval=19:flat3
  year_month_interval=20 day_time_interval=21 array=22:Expression.Literal.Array map=23:Expression.Literal.Map
  struct=24:Expression.Literal.Struct specialized_array=25:Expression.Literal.SpecializedArray time=26:flat2
  data_type=100:DataType
DataType: null=1:flat1 binary=2:flat1 boolean=3:flat1 byte=4:flat1 short=5:flat1 integer=6:flat1 long=7:flat1
  float=8:flat1 double=9:flat1 decimal=10:flat3 string=11:DataType.String char=12:flat2 var_char=13:flat2
  date=14:flat1 timestamp=15:flat1 timestamp_ntz=16:flat1 calendar_interval=17:flat1
  year_month_interval=18:flat3 day_time_interval=19:flat3 array=20:DataType.Array struct=21:DataType.Struct
  map=22:DataType.Map variant=25:flat1 geometry=26:flat2 geography=27:flat2 unparsed=24:DataType.Unparsed
  time=28:flat2
DataType.String: type_variation_reference=1 collation=2:name
DataType.Array: element_type=1:DataType contains_null=2 type_variation_reference=3
DataType.Struct: fields=1:DataType.StructField type_variation_reference=2
DataType.StructField: name=1 data_type=2:DataType nullable=3 metadata=4
DataType.Map: key_type=1:DataType value_type=2:DataType value_contains_null=3 type_variation_reference=4
DataType.Unparsed: data_type_string=1:schema
Expression.Literal.Array: element_type=1:DataType elements=2:Expression.Literal
Expression.Literal.Map: key_type=1:DataType value_type=2:DataType keys=3:Expression.Literal
  values=4:Expression.Literal
Expression.Literal.Struct: struct_type=1:DataType elements=2:Expression.Literal
Expression.Literal.SpecializedArray: bools=1:flat1 ints=2:flat1 longs=3:flat1 floats=4:flat1 doubles=5:flat1
  strings=6:flat1
Expression.UnresolvedAttribute: unparsed_identifier=1:name plan_id=2 is_metadata_column=3
Expression.UnresolvedFunction: function_name=1:function arguments=2:Expression is_distinct=3
  is_user_defined_function=4
Expression.ExpressionString: expression=1:expression
Expression.UnresolvedStar: unparsed_target=1:name plan_id=2
Expression.Alias: expr=1:Expression name=2 metadata=3
Expression.Cast: expr=1:Expression type=2:DataType type_str=3:schema eval_mode=4
Expression.SortOrder: child=1:Expression direction=2 null_ordering=3
Expression.LambdaFunction: function=1:Expression arguments=2:flat1
Expression.Window: window_function=1:Expression partition_spec=2:Expression order_spec=3:Expression.SortOrder
  frame_spec=4:Expression.Window.WindowFrame
Expression.Window.WindowFrame: frame_type=1 lower=2:Expression.Window.WindowFrame.FrameBoundary
  upper=3:Expression.Window.WindowFrame.FrameBoundary
Expression.Window.WindowFrame.FrameBoundary: current_row=1 unbounded=2 value=3:Expression
Expression.UnresolvedExtractValue: child=1:Expression extraction=2:Expression
Expression.UpdateFields: struct_expression=1:Expression field_name=2 value_expression=3:Expression
CallFunction: function_name=1:function arguments=2:Expression
NamedArgumentExpression: key=1 value=2:Expression
SubqueryExpression: plan_id=1 subquery_type=2 table_arg_options=3:SubqueryExpression.TableArgOptions
  in_subquery_values=4:Expression
SubqueryExpression.TableArgOptions: partition_spec=1:Expression order_spec=2:Expression.SortOrder
  with_single_partition=3
Filter: input=1:Relation condition=2:Expression
Join: left=1:Relation right=2:Relation join_condition=3:Expression join_type=4 using_columns=5
  join_data_type=6:flat2
SetOperation: left_input=1:Relation right_input=2:Relation set_op_type=3 is_all=4 by_name=5
  allow_missing_columns=6
Sort: input=1:Relation order=2:Expression.SortOrder is_global=3
Limit: input=1:Relation limit=2
Aggregate: input=1:Relation group_type=2 grouping_expressions=3:Expression aggregate_expressions=4:Expression
  pivot=5:Aggregate.Pivot grouping_sets=6:Aggregate.GroupingSets
Aggregate.Pivot: col=1:Expression values=2:Expression.Literal
Aggregate.GroupingSets: grouping_set=1:Expression
SQL: query=1:query args=2:SQL.ArgsEntry pos_args=3:Parameter
  named_arguments=4:SQL.NamedArgumentsEntry pos_arguments=5:ParameterExpression
SQL.ArgsEntry: key=1 value=2:Parameter
SQL.NamedArgumentsEntry: key=1 value=2:ParameterExpression
Parameter: null=1:ParameterType binary=2 boolean=3 byte=4 short=5 integer=6 long=7 float=10 double=11
  decimal=12:flat3 string=13 date=16 timestamp=17 timestamp_ntz=18 calendar_interval=19:flat3
  year_month_interval=20 day_time_interval=21 specialized_array=25:Expression.Literal.SpecializedArray time=26:flat2
  data_type=100:ParameterType
ParameterType: null=1:flat1 binary=2:flat1 boolean=3:flat1 byte=4:flat1 short=5:flat1 integer=6:flat1 long=7:flat1
  float=8:flat1 double=9:flat1 decimal=10:flat3 string=11:DataType.String date=14:flat1 timestamp=15:flat1
  timestamp_ntz=16:flat1 calendar_interval=17:flat1 year_month_interval=18:flat3 day_time_interval=19:flat3
  time=28:flat2
ParameterExpression: common=18:ExpressionCommon literal=1:Parameter unresolved_function=3:ParameterCollection
ParameterCollection: function_name=1:collection arguments=2:ParameterExpression is_distinct=3
  is_user_defined_function=4
LocalRelation: data=1 schema=2:schema
Sample: input=1:Relation lower_bound=2 upper_bound=3 with_replacement=4 seed=5 deterministic_order=6
Offset: input=1:Relation offset=2
Deduplicate: input=1:Relation column_names=2 all_columns_as_keys=3
SubqueryAlias: input=1:Relation alias=2 qualifier=3
Repartition: input=1:Relation num_partitions=2 shuffle=3
ToDF: input=1:Relation column_names=2
WithColumnsRenamed: input=1:Relation rename_columns_map=2:flat2 renames=3:flat2
ShowString: input=1:Relation num_rows=2 truncate=3 vertical=4
Drop: input=1:Relation columns=2:Expression column_names=3
Tail: input=1:Relation limit=2
WithColumns: input=1:Relation aliases=2:Expression.Alias
Hint: input=1:Relation name=2:name parameters=3:Expression
Unpivot: input=1:Relation ids=2:Expression values=3:Unpivot.Values variable_column_name=4 value_column_name=5
Unpivot.Values: values=1:Expression
ToSchema: input=1:Relation schema=2:DataType
RepartitionByExpression: input=1:Relation partition_exprs=2:Expression num_partitions=3
Parse: input=1:Relation format=2 schema=3:DataType options=4:Parse.OptionsEntry
Parse.OptionsEntry: key=1:option value=2
HtmlString: input=1:Relation num_rows=2 truncate=3
AsOfJoin: left=1:Relation right=2:Relation left_as_of=3:Expression right_as_of=4:Expression
  join_expr=5:Expression using_columns=6 join_type=7 tolerance=8:Expression allow_exact_matches=9 direction=10
WithRelations: root=1:Relation references=2:Relation
Transpose: input=1:Relation index_columns=2:Expression
UnresolvedTableValuedFunction: function_name=1:function arguments=2:Expression
LateralJoin: left=1:Relation right=2:Relation join_condition=3:Expression join_type=4
NAFill: input=1:Relation cols=2 values=3:Expression.Literal
NADrop: input=1:Relation cols=2 min_non_nulls=3
NAReplace: input=1:Relation cols=2 replacements=3:NAReplace.Replacement
NAReplace.Replacement: old_value=1:Expression.Literal new_value=2:Expression.Literal
StatSummary: input=1:Relation statistics=2
StatCrosstab: input=1:Relation col1=2 col2=3
StatDescribe: input=1:Relation cols=2
StatCov: input=1:Relation col1=2 col2=3
StatCorr: input=1:Relation col1=2 col2=3 method=4
StatApproxQuantile: input=1:Relation cols=2 probabilities=3 relative_error=4
StatFreqItems: input=1:Relation cols=2 support=3
StatSampleBy: input=1:Relation col=2:Expression fractions=3:StatSampleBy.Fraction seed=5
StatSampleBy.Fraction: stratum=1:Expression.Literal fraction=2
Catalog: current_database=1:flat0 list_databases=3:ListDatabases list_tables=4:ListTables
  list_functions=5:ListFunctions list_columns=6:ListColumns get_database=7:GetDatabase get_table=8:GetTable
  get_function=9:GetFunction database_exists=10:DatabaseExists table_exists=11:TableExists
  function_exists=12:FunctionExists current_catalog=24:flat0 list_catalogs=26:ListCatalogs
  list_views=32:ListViews
ListDatabases: pattern=1:name
ListTables: db_name=1:name pattern=2:name
ListFunctions: db_name=1:name pattern=2:name
ListColumns: table_name=1:table db_name=2:name
GetDatabase: db_name=1:name
GetTable: table_name=1:table db_name=2:name
GetFunction: function_name=1:name db_name=2:name
DatabaseExists: db_name=1:name
TableExists: table_name=1:table db_name=2:name
FunctionExists: function_name=1:name db_name=2:name
ListCatalogs: pattern=1:name
ListViews: db_name=1:name pattern=2:name
Command: sql_command=5:SqlCommand
SqlCommand: input=6:Relation
AnalyzePlanRequest: schema=4:AnalyzePlanRequest.Schema explain=5:AnalyzePlanRequest.Explain
  tree_string=6:AnalyzePlanRequest.TreeString is_local=7:AnalyzePlanRequest.IsLocal
  is_streaming=8:AnalyzePlanRequest.IsStreaming input_files=9:AnalyzePlanRequest.InputFiles
  spark_version=10:flat0 ddl_parse=11:AnalyzePlanRequest.DDLParse
  same_semantics=12:AnalyzePlanRequest.SameSemantics semantic_hash=13:AnalyzePlanRequest.SemanticHash
  json_to_ddl=18:AnalyzePlanRequest.JsonToDDL session_id=1:drop client_observed_server_side_session_id=17:drop
  user_context=2:drop client_type=3:drop
AnalyzePlanRequest.Schema: plan=1:Plan
AnalyzePlanRequest.Explain: plan=1:Plan explain_mode=2
AnalyzePlanRequest.TreeString: plan=1:Plan level=2
AnalyzePlanRequest.IsLocal: plan=1:Plan
AnalyzePlanRequest.IsStreaming: plan=1:Plan
AnalyzePlanRequest.InputFiles: plan=1:Plan
AnalyzePlanRequest.DDLParse: ddl_string=1:schema
AnalyzePlanRequest.SameSemantics: target_plan=1:Plan other_plan=2:Plan
AnalyzePlanRequest.SemanticHash: plan=1:Plan
AnalyzePlanRequest.JsonToDDL: json_string=1:schema
ConfigRequest: operation=3:ConfigRequest.Operation session_id=1:drop
  client_observed_server_side_session_id=8:drop user_context=2:drop client_type=4:drop
ConfigRequest.Operation: set=1:ConfigRequest.Set get=2:ConfigRequest.Get
  get_with_default=3:ConfigRequest.GetWithDefault get_option=4:ConfigRequest.GetOption
  unset=6:ConfigRequest.Unset is_modifiable=7:ConfigRequest.IsModifiable
ConfigRequest.Set: pairs=1:Setting silent=2
ConfigRequest.Get: keys=1:key
ConfigRequest.GetWithDefault: pairs=1:Default
ConfigRequest.GetOption: keys=1:key
ConfigRequest.Unset: keys=1:setting
ConfigRequest.IsModifiable: keys=1:key
Setting: key=1:setting value=2:name
Default: key=1:key value=2
"""


def _read(rules: str) -> dict[str, dict[int, tuple[str, str]]]:
    messages: dict[str, dict[int, tuple[str, str]]] = {}
    for line in rules.replace("\n  ", " ").strip().splitlines():
        message, _, entries = line.partition(":")
        messages[message] = {}
        for entry in entries.split():
            name, _, place = entry.partition("=")
            number, _, kind = place.partition(":")
            messages[message][int(number)] = name, kind
    return messages


MESSAGES = _read(RULES)
"""For each message its fields: number to name and type."""
